/** The device died before it could answer: what was asked of it may have been done or not. */
export class Died extends Error {}
