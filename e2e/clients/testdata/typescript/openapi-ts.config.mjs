export default {
  input: process.env.DOCUMENT,
  output: { path: "hey", importFileExtension: ".js" },
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
  logs: { level: "silent" },
};
