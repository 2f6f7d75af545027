// How orval's functions send requests: to the server that the program is called with.

const server = process.argv[2];

export async function fetched<Answer>(path: string, options: RequestInit): Promise<Answer> {
  if (server === undefined) throw new Error("The address of a server is missing.");
  const response = await fetch(server + path, options);
  return { status: response.status, headers: response.headers, data: await response.json() } as Answer;
}
