import type { Camera } from "../map/camera";
import { adopt, withoutNames, type Plan } from "../plan/plan";
import type { PlanHistory } from "./history";
import { readPermalink, writePermalink, writeView } from "./permalink";
import type { Planner } from "./planner";

export interface AddressSetup {
  readonly planner: Planner;
  readonly planHistory: PlanHistory;
  /** Where the map looks at first. */
  readonly camera: Camera | null;
  /** Moves the map. */
  readonly go: (camera: Camera) => void;
}

/** Keeps the address in step with the plan, the panel and the map. */
export class Address {
  /** Where the map looks. */
  camera: Camera | null;
  private readonly setup: AddressSetup;

  constructor(setup: AddressSetup) {
    this.setup = setup;
    this.camera = setup.camera;
    addEventListener("popstate", ({ state }) => this.read(state === null));
  }

  write(): void {
    const { planner, planHistory } = this.setup;
    const { plan, panel } = planner.state;
    planHistory.keep(writePermalink(plan), writeView(panel, this.camera), nameless(plan));
  }

  moved(camera: Camera): void {
    this.camera = camera;
    this.write();
  }

  /**
   * Takes the plan of the address: of a link that was pasted, or of an entry of the
   * history. Only a link moves the map.
   */
  private read(pasted: boolean): void {
    const { planner, planHistory, go } = this.setup;
    const { plan, panel, camera } = readPermalink(location.hash);
    planHistory.arrive(nameless(plan));
    if (pasted && camera) go(camera);
    const reason = pasted && camera ? "map" : "elsewhere";
    planner.restore(adopt(plan, planner.state.plan), panel, reason);
  }
}

/** The plan of an entry of the history: names that come later make no new one. */
export function nameless(plan: Plan): string {
  return writePermalink(withoutNames(plan));
}
