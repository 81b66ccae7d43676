import { LANGUAGES } from '../../language/define-words.js';
import { usePreferences } from '../../language/preferences-context.js';
import { PICTURES, THEMES } from '../../language/preferences.js';
import { useWords } from '../../language/use-words.js';
import { Choice } from '../../ui/forms/choice.js';
import styles from './preferences.module.css';
import { preferenceWords } from './words.js';

/**
 * Switches for theme, language and images.
 *
 * @param isBrief shows only theme and language, for pages before sign-in
 */
export function PreferenceSwitches({ isBrief = false }: { isBrief?: boolean }) {
  const words = useWords(preferenceWords);
  const { theme, language, pictures, change } = usePreferences();
  return (
    <div className={styles.switches}>
      <Choice
        isLabelled={!isBrief}
        label={words.theme}
        value={theme}
        onChange={(chosen) => change({ theme: chosen })}
        options={THEMES.map((id) => ({ id, label: words[id] }))}
      />
      <Choice
        isLabelled={!isBrief}
        label={words.language}
        value={language}
        onChange={(chosen) => change({ language: chosen })}
        options={LANGUAGES.map((id) => ({ id, label: words[id] }))}
      />
      {!isBrief && (
        <Choice
          isLabelled
          label={words.pictures}
          value={pictures}
          onChange={(chosen) => change({ pictures: chosen })}
          options={PICTURES.map((id) => ({ id, label: words[id] }))}
        />
      )}
    </div>
  );
}
