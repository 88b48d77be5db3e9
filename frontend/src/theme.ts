import { element } from './page';
import { keep, kept } from './storage';

const KEY = 'zeroply-theme';
const THEMES = ['system', 'light', 'dark'] as const;

/** Light or dark, as the system has it or as the person chose; a button goes from one to the next. */
export function offerThemes(): void {
  const button = element('theme');
  let number = Math.max(THEMES.findIndex(theme => theme === kept('localStorage', KEY)), 0);
  const apply = (): void => {
    const theme = THEMES[number] ?? 'system';
    document.documentElement.dataset.theme = theme;
    button.querySelector('use')?.setAttribute('href', `#icon-${theme}`);
    button.title = `Colours: ${theme === 'system' ? 'as the system has them' : theme}`;
    button.setAttribute('aria-label', button.title);
  };
  apply();
  button.onclick = () => {
    number = (number + 1) % THEMES.length;
    keep('localStorage', KEY, THEMES[number] ?? 'system');
    apply();
  };
}
