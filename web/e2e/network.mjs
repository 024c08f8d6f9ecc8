// A network between a browser and the server under test, which can be cut.
import { createServer, request as ask } from "node:http";

/**
 * Listens on a port of its own and passes on what comes to base. While cut is true every
 * connection breaks; change(path, text) returns what arrives of a page or a script.
 */
export async function network(base) {
  const net = { cut: false, change: (_path, text) => text };
  const server = createServer((from, to) => {
    if (net.cut) return void from.socket.destroy();
    const { ["accept-encoding"]: _, ...headers } = from.headers;
    const url = new URL(from.url, base);
    const onward = ask(url, { method: from.method, headers: { ...headers, host: url.host } });
    onward.on("error", () => to.destroy());
    onward.on("response", async (answer) => {
      const parts = [];
      for await (const part of answer) parts.push(part);
      const whole = Buffer.concat(parts);
      const text = /html|javascript/.test(answer.headers["content-type"] ?? "");
      const body = text ? Buffer.from(net.change(url.pathname, whole.toString())) : whole;
      const { ["content-length"]: _length, ["transfer-encoding"]: _coding, ...rest } = answer.headers; // prettier-ignore
      to.writeHead(answer.statusCode, rest).end(body);
    });
    from.pipe(onward);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return Object.assign(net, {
    url: `http://127.0.0.1:${server.address().port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
}
