import { element } from './page';

/** Milliseconds within which a second click is part of a double click, and after which no answer is one, too. */
const SETTLED = 500;
const PATIENCE = 4000;

/** A button that asks once more before it does something, because a slip of the finger should not. It asks in a word,
 *  so that it stays as wide as it is; `spoken` has the whole question, for people who hear the page. */
export function askTwice(id: string, question: string, spoken: string, act: () => void): void {
  const button = element(id);
  const usual = button.textContent;
  let isAsked = false;
  let latest = -SETTLED;
  let idle = 0;
  const ask = (asked: boolean): void => {
    button.style.minWidth = asked ? `${button.offsetWidth}px` : '';
    button.textContent = asked ? question : usual;
    button.ariaLabel = asked ? spoken : null;
    isAsked = asked;
    clearTimeout(idle);
    if (asked) idle = window.setTimeout(() => ask(false), PATIENCE);
  };
  button.onblur = () => ask(false);
  button.onkeydown = event => {
    if (event.repeat) event.preventDefault(); // a key held down is one click
  };
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') ask(false);
  });
  button.onclick = ({ timeStamp }) => {
    const isDouble = timeStamp - latest < SETTLED;
    latest = timeStamp;
    if (isDouble) return;
    const isSure = isAsked;
    ask(!isSure);
    if (isSure) act();
  };
}
