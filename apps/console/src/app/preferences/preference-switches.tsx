import { Choice } from '../../ui/forms/choice.js';
import { useWords } from '../words/use-words.js';
import { usePreferences } from './preferences-context.js';
import { PICTURES, THEMES } from './preferences.js';
import styles from './preferences.module.css';
import { LANGUAGE_NAMES, preferenceWords } from './words.js';

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
        options={[
          { id: 'en', label: LANGUAGE_NAMES.en.en },
          { id: 'ru', label: LANGUAGE_NAMES.en.ru },
        ]}
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
