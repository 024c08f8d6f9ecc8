import { fieldNote, readFieldErrors, STATUS, wait, type Failure } from "../call/problem";
import { isRecord } from "../call/record";
import { exactMoney } from "./money";
import { tr } from "../ui/translate";

/** A refusal in words for the person at a form. */
export interface Explanation {
  readonly title: string;
  readonly text: string;
  /** What to do next. */
  readonly notes: readonly string[];
  /** What is wrong with single fields of the request's body. */
  readonly fields: readonly FieldComplaint[];
}

export interface FieldComplaint {
  /** The body's field, without indices and members: allowed_origins. */
  readonly name: string;
  /** "allowed_origins[1]: must not have a path (was …)". */
  readonly text: string;
}

/** Slugs that are about one field, though the document lists none. */
const FIELD_OF: Readonly<Record<string, string>> = {
  "invalid-email": "email",
  "tos-not-accepted": "accept_tos",
  "key-cap": "email",
};

const URN = "urn:svc-gateway:problem:";

/**
 * Reads problem+json (RFC 9457) with the gateway's extra fields, and the plain
 * JSON of a 402.
 */
export function explain(failure: Failure): Explanation {
  if (failure.kind === "network") {
    return {
      title: tr("The server did not answer"),
      text: tr("Check that it is running and reachable, then try again."),
      notes: [],
      fields: [],
    };
  }
  const { status } = failure;
  const body = isRecord(failure.body) ? failure.body : {};
  const title = text(body["title"]) ?? STATUS[status] ?? tr("The server answered with {0}", status);
  const detail = text(body["detail"]) ?? text(body["error"]) ?? "";
  const slug = slugOf(body["type"]);
  const fields = readFieldErrors(body["errors"]).map((error) => ({
    name: /^(?:body\.)?([^.[]*)/.exec(error.location)?.[1] ?? "",
    text: fieldNote(error),
  }));
  const single = FIELD_OF[slug] ?? text(body["field"]);
  if (single && !fields.length) fields.push({ name: single, text: detail || title });
  const notes = [...paymentNotes(body), ...waitNotes(status, failure.retryAfter)];
  return { title, text: detail, notes, fields };
}

/** The slug of a problem's type; "" for any other. */
export function slugOf(type: unknown): string {
  return typeof type === "string" && type.startsWith(URN) ? type.slice(URN.length) : "";
}

function paymentNotes(body: Record<string, unknown>): string[] {
  const balance = body["balance_millipence"];
  if (body["code"] !== "payment_required" || typeof balance !== "number") return [];
  return [tr("The credit left is {0}: buy more in the console.", exactMoney(balance))];
}

function waitNotes(status: number, retryAfter?: string | null): string[] {
  const seconds = Number(retryAfter);
  if (retryAfter && Number.isFinite(seconds)) return [tr("Try again in {0}.", wait(seconds))];
  if (status === 502 || status === 503 || status === 504) return [tr("Try again in a moment.")];
  return [];
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
