// Where the commands of a bench act: on the local store, or on a gateway far away. One file of tests chooses once.
export const where = { remote: false };
