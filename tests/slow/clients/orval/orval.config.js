import { env } from "node:process";

const mutator = { path: `${env.FOLDER}/fetcher.ts`, name: "fetched" };

export default {
  game: {
    input: env.CONTRACT,
    output: { target: `${env.FOLDER}/client.ts`, client: "fetch", mode: "single", override: { mutator } },
  },
};
