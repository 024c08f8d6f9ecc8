import { Link } from "../call/link";
import { tr } from "../ui/translate";
import type { KeptLinks } from "./kept";
import { withMarks, type DrivenRound, type Mark } from "./round";

/** Reports of one call. */
const MOST = 200;

/** The round of a link on this phone, and the reports of it that wait to be sent. */
export class LinkedRound {
  readonly token: string;
  /** Whether the last call was answered; null before one has ended. */
  reached: boolean | null = null;
  message = "";
  /** When the round was so, in milliseconds since 1970. */
  at = 0;
  /** When the plan is at its end, by the clock of this phone, which may be wrong. */
  private until = Infinity;
  private round: DrivenRound | null = null;
  private readonly kept: KeptLinks;
  private readonly link: Link;
  private busy = false;

  constructor(token: string, kept: KeptLinks) {
    this.token = token;
    this.kept = kept;
    this.link = new Link(token);
    const former = kept.round(token);
    if (former) ({ round: this.round, at: this.at, until: this.until } = former);
  }

  get waiting(): number {
    return this.kept.marks(this.token).length;
  }

  /** The round with what was reported and is not sent yet; null where none has come. */
  get shown(): DrivenRound | null {
    return this.round && withMarks(this.round, this.kept.marks(this.token));
  }

  report(mark: Mark): void {
    this.kept.report(this.token, mark);
  }

  /**
   * Sends what waits, then brings the round up to date. False where the link opens nothing any
   * more; what was kept of it is then deleted.
   */
  async bring(): Promise<boolean> {
    if (this.busy) return true;
    this.busy = true;
    try {
      let open = true;
      do open = (await this.send()) && (this.waiting > 0 || (await this.load()));
      while (open && this.reached && this.waiting > 0); // what was reported meanwhile
      return open;
    } finally {
      this.busy = false;
    }
  }

  private async load(): Promise<boolean> {
    const heard = await this.link.get<DrivenRound>("v1/driver");
    if (heard.kind === "answer") this.take(heard.answer);
    else if (heard.kind === "same" && this.round) this.take(this.round);
    return this.settle(heard.kind);
  }

  private async send(): Promise<boolean> {
    let most = MOST;
    for (;;) {
      const sent = this.kept.marks(this.token).slice(0, most);
      if (sent.length === 0) return true;
      const heard = await this.link.post<DrivenRound>("v1/driver/marks", { marks: sent });
      if (heard.kind === "refused" && sent.length > 1) {
        most = 1; // so that one that is refused takes no others along
        continue;
      }
      if (heard.kind === "refused") this.message = tr("The server did not take a report.");
      else if (heard.kind !== "answer") return this.settle(heard.kind);
      this.kept.sent(this.token, sent);
      if (heard.kind !== "answer") continue;
      if (heard.answer.ignored) this.message = tr("A stop is on this round no more.");
      this.take(heard.answer);
      this.settle(heard.kind);
    }
  }

  private take(round: DrivenRound): void {
    this.round = round;
    this.at = Date.now();
    this.until = Date.parse(round.expires_at) + this.link.ahead;
    this.kept.keepRound(this.token, { round, at: this.at, until: this.until });
  }

  private settle(kind: string): boolean {
    this.reached = kind !== "away";
    const open = kind !== "closed" && (this.reached || this.until > Date.now());
    if (!open) this.kept.forget(this.token);
    return open;
  }
}
