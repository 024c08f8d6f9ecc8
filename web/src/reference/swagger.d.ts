// What is used of swagger-ui-dist, which describes itself to JavaScript only.
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  /** An ordered map of the viewer's own. */
  export interface Tagged {
    readonly size: number;
    map(change: (tag: Tag) => Tag): Tagged;
    filter(wanted: (tag: Tag) => boolean): Tagged;
  }
  export interface Tag {
    get(name: "operations"): Operations;
    set(name: "operations", value: Operations): Tag;
  }
  export interface Operations {
    readonly size: number;
    filter(wanted: (operation: Operation) => boolean): Operations;
  }
  export interface Operation {
    get(name: "path" | "method"): string;
    getIn(path: readonly ["operation", "summary" | "description"]): string | undefined;
  }
  export interface Viewer {
    preauthorizeApiKey(scheme: string, key: string): void;
  }
  export default function SwaggerUI(options: {
    readonly spec: unknown;
    readonly domNode: HTMLElement;
    readonly deepLinking?: boolean;
    readonly docExpansion?: "list" | "full" | "none";
    readonly filter?: boolean;
    readonly defaultModelsExpandDepth?: number;
    readonly plugins?: readonly unknown[];
    readonly onComplete?: () => void;
  }): Viewer;
}
