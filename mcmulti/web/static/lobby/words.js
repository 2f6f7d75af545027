// Words of the lobby.

export const en = {
  title: "Games",
};

/** @type {typeof en} */
export const de = {
  title: "Partien",
};
