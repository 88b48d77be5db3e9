/** How chess moves are written, whatever the position; as src/zeroply/games/chess/position.py has it. */
const SAN = /^[NBKRQ]?[a-h]?[1-8]?[-x]?[a-h][1-8](=?[nbrqkNBRQK])?[+#]?$/;
const SQUARES = /^[a-h][1-8]-?[a-h][1-8]=?[qrbn]?$/i;
const CASTLING = /^([O0o])-\1(-\1)?[+#]?$/;

/** Whether it would be a move in some position: then spelling is not what is wrong with it. */
export function wellWritten(text: string): boolean {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return [SAN.test(text), SAN.test(capital), SQUARES.test(text), CASTLING.test(text)].includes(true);
}
