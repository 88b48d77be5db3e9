import { element } from './page';

/** A button that asks once more before it does something, because a slip of the finger should not. */
export function askTwice(id: string, question: string, act: () => void): void {
  const button = element(id);
  const usual = button.textContent;
  let isAsked = false;
  const ask = (asked: boolean): void => {
    isAsked = asked;
    button.textContent = asked ? question : usual;
  };
  button.onblur = () => ask(false);
  button.onclick = () => {
    const isSure = isAsked;
    ask(!isSure);
    if (isSure) act();
  };
}
