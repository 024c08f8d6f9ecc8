/** The answer of GET /v1/console/self. */
export interface Self {
  readonly email: string;
  readonly created_at: string;
  readonly balance_pence: number;
  readonly balance_millipence: number;
  readonly monthly_quota: number;
  readonly used_this_month: number;
  /** Newest first. */
  readonly keys: readonly ConsoleKey[];
  /** Oldest first. */
  readonly history: readonly LedgerEntry[];
  readonly plan: string;
  /** On offer here. */
  readonly plans: readonly Plan[];
  /** Whether credit and plans are sold here. */
  readonly checkout: boolean;
}

export interface ConsoleKey {
  readonly key_id: string;
  readonly label: string;
  readonly state: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly used_this_month: number;
}

export interface LedgerEntry {
  readonly at: string;
  readonly kind: string;
  /** Above 0 for credit, below for usage. */
  readonly millipence: number;
  readonly balance_after_millipence: number;
  readonly reason: string;
  readonly source: string | null;
}

export interface Plan {
  readonly name: string;
  readonly monthly_quota: number;
  readonly rate_per_min: number;
  /** A month. */
  readonly pence: number;
}

/** Where a key stands at a moment, in one word and a tone for it. */
export function standing(
  key: Pick<ConsoleKey, "state" | "expires_at" | "revoked_at">,
  now: Date,
): { readonly word: string; readonly tone: "calm" | "amber" | "danger" } {
  if (key.revoked_at) return { word: "revoked", tone: "danger" };
  if (key.expires_at && new Date(key.expires_at) <= now) return { word: "expired", tone: "danger" };
  if (key.state === "provisional") return { word: "provisional", tone: "amber" };
  return { word: key.state, tone: "calm" };
}
