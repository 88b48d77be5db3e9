/** Bad input: one line for people, as the server would say it. */
export class Refused extends Error {}
