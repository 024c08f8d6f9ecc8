import { prettyJSON, type CurlRequest } from "./curl";

export type SnippetLanguage = "JavaScript" | "Python" | "Go";

/** A call as a program that makes it, in languages other than a shell's. */
export const SNIPPETS: Readonly<Record<SnippetLanguage, (call: CurlRequest) => string>> = {
  JavaScript: javaScript,
  Python: python,
  Go: goProgram,
};

/** For Node.js and browsers; the key is in the environment, as in all of these. */
function javaScript({ method, url, body, keyed }: CurlRequest): string {
  const headers = [
    keyed && "Authorization: `Bearer ${process.env.API_KEY}`",
    body !== undefined && '"Content-Type": "application/json"',
  ].filter(Boolean);
  const options = [
    method !== "GET" && `  method: "${method}",`,
    headers.length > 0 && `  headers: { ${headers.join(", ")} },`,
    body !== undefined && `  body: JSON.stringify(${prettyJSON(body, "  ")}),`,
  ].filter(Boolean);
  const given = options.length > 0 ? `, {\n${options.join("\n")}\n}` : "";
  return [
    `const response = await fetch(${JSON.stringify(url)}${given});`,
    "if (!response.ok) throw new Error(await response.text());",
    "console.log(await response.json());",
  ].join("\n");
}

function python({ method, url, body, keyed }: CurlRequest): string {
  const given = [
    keyed && `    headers={"Authorization": f"Bearer {os.environ['API_KEY']}"},`,
    body !== undefined && `    json=${pythonOf(prettyJSON(body, "    "))},`,
    "    timeout=60,",
  ].filter(Boolean);
  return [
    keyed && "import os",
    "import requests",
    "",
    "response = requests.request(",
    `    "${method}",`,
    `    ${JSON.stringify(url)},`,
    ...given,
    ")",
    "response.raise_for_status()",
    "print(response.json())",
  ]
    .filter((line) => line !== false && line !== undefined)
    .join("\n");
}

/** JSON as a Python literal: its strings are the same, and three of its words are not. */
function pythonOf(json: string): string {
  const words: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };
  return json.replace(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (part) => words[part] ?? part);
}

function goProgram({ method, url, body, keyed }: CurlRequest): string {
  const reader = body === undefined ? "nil" : `strings.NewReader(${goString(prettyJSON(body))})`;
  const imports = ["fmt", "io", "log", "net/http", keyed && "os", body !== undefined && "strings"];
  return [
    "package main",
    "",
    "import (",
    ...imports.filter(Boolean).map((name) => `\t"${name}"`),
    ")",
    "",
    "func main() {",
    `\trequest, err := http.NewRequest("${method}", ${JSON.stringify(url)}, ${reader})`,
    "\tif err != nil {",
    "\t\tlog.Fatal(err)",
    "\t}",
    keyed && '\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))',
    body !== undefined && '\trequest.Header.Set("Content-Type", "application/json")',
    "\tresponse, err := http.DefaultClient.Do(request)",
    "\tif err != nil {",
    "\t\tlog.Fatal(err)",
    "\t}",
    "\tdefer response.Body.Close()",
    "\tanswer, err := io.ReadAll(response.Body)",
    "\tif err != nil {",
    "\t\tlog.Fatal(err)",
    "\t}",
    "\tfmt.Println(response.Status, string(answer))",
    "}",
  ]
    .filter((line) => line !== false)
    .join("\n");
}

/** A string of Go: raw where it can be. */
function goString(text: string): string {
  return text.includes("`") ? JSON.stringify(text) : `\`${text}\``;
}
