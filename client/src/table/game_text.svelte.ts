import type { Face } from "../board/face";
import { botName } from "../lib/bot_name";
import { loadFace, loadSentences } from "../games";
import { listGames } from "../lib/http";
import { loadWithRetry } from "../lib/loading.svelte";
import type { Session } from "../lib/session.svelte";
import { settings } from "../lib/settings.svelte";
import { tell, type Sentences } from "../lib/words";
import type { Happening, Language, LogEntry, Seat } from "../generated/messages";
import { t } from "../texts/index.svelte";

/** The appearance and the sentences of the table's game in the current language, and the players' names. */
export class GameText {
  face = $state.raw<Face>();
  title = $state.raw("");
  bots = $state.raw<readonly string[]>([]);
  #texts = $state.raw<Sentences | null>(null);

  constructor(private readonly session: Session) {
    $effect(() => {
      const game = session.table?.game;
      if (game) this.#load(game, settings.language);
    });
  }

  /** The name of a freed seat is its number. */
  readonly seats: Seat[] = $derived.by(
    () => this.session.seats.map((seat, number) => (seat.name ? seat : { ...seat, name: t().seats.number(number + 1) })),
  );
  readonly sentences: Sentences = $derived.by(() => ({ ...this.#texts, ...this.face?.names?.(this.seats) }));

  readonly sentence = ({ key, details }: Happening): string => {
    if (key === "table.wrote") return String(details["text"]); // in the player's own words
    if (!this.#texts) return ""; // an empty text instead of a key while loading
    // Bots that have the name of their roster entry.
    const bots = ["bot", "failed"].flatMap((name) => (typeof details[name] === "string" ? [[name, botName(details[name])]] : []));
    return tell(this.sentences, { key, details: { ...details, ...Object.fromEntries(bots) } }, this.seats);
  };

  readonly textOf = ({ kind, seat, happenings }: LogEntry): string[] => {
    const lines = happenings.map(this.sentence);
    return kind === "chat" && seat !== null ? lines.map((text) => t().log.said(this.nameOf(seat), text)) : lines;
  };

  nameOf(seat: number | null): string {
    return this.seats[seat ?? -1]?.name ?? "";
  }

  #load(game: string, language: Language): void {
    void loadFace(game).then((found) => (this.face = found));
    void Promise.all([loadSentences(game, language), loadHouse(language)]).then(
      ([own, house]) => (this.#texts = { ...house, ...own }),
    );
    void listGames()
      .then((games) => {
        const found = games.find(({ name }) => name === game);
        this.title = found?.titles[language] ?? game;
        this.bots = found?.bots ?? [];
      })
      .catch(() => (this.title ||= game));
  }
}

/** The sentences of the tables. */
async function loadHouse(language: Language): Promise<Sentences> {
  const load = () => (language === "fr" ? import("../generated/sentences/tables.fr") : import("../generated/sentences/tables.en"));
  return (await loadWithRetry<{ default: Sentences }>(load)).default;
}
