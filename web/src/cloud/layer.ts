import type { CustomLayerInterface, CustomRenderMethodInput, Map as MapLibre } from "maplibre-gl";
import { tableOf, type Colouring } from "./colours";
import type { Points } from "./decode";
import { metreAt } from "./place";

const VERTEX = `#version 300 es
uniform mat4 place;
uniform float size;
uniform int by;
uniform vec2 heights;
uniform float bright;
in vec3 position;
in vec2 attributes;
out float value;
void main() {
  gl_Position = place * vec4(position, 1.0);
  gl_PointSize = size;
  value = by == 0 ? clamp((position.z - heights.x) / (heights.y - heights.x), 0.0, 1.0) * 255.0
        : by == 1 ? attributes.x : min(attributes.y / bright, 1.0) * 255.0;
}`;

const FRAGMENT = `#version 300 es
precision mediump float;
uniform sampler2D colours;
in float value;
out vec4 colour;
void main() {
  vec2 from = gl_PointCoord - 0.5;
  if (dot(from, from) > 0.25) discard;
  colour = texture(colours, vec2((floor(value + 0.5) + 0.5) / 256.0, 0.5));
}`;

/** A node whose points the graphics processor has. */
interface Held {
  readonly array: WebGLVertexArrayObject;
  readonly buffers: readonly WebGLBuffer[];
  readonly origin: Points["origin"];
  readonly count: number;
}

/** Draws the points of nodes over the map. */
export class PointLayer implements CustomLayerInterface {
  readonly type = "custom";
  readonly renderingMode = "3d";
  private map: MapLibre | null = null;
  private gl: WebGL2RenderingContext | null = null;
  private program: WebGLProgram | null = null;
  private texture: WebGLTexture | null = null;
  private readonly points = new Map<string, Points>();
  private readonly held = new Map<string, Held>();
  private shown: readonly string[] = [];
  private colouring: Colouring = "height";
  private size = 2;
  private heights: readonly [number, number] = [0, 1];
  /** The intensity of the brightest colour: that of the coarse points, which come first. */
  private bright = 0;

  constructor(readonly id: string) {}

  /** The nodes whose points are there. */
  has(name: string): boolean {
    return this.points.has(name);
  }

  put(name: string, points: Points): void {
    this.points.set(name, points);
    this.bright ||= points.bright;
    this.map?.triggerRepaint();
  }

  /** Lets go of a node's points. */
  drop(name: string): void {
    this.points.delete(name);
    this.release(name);
  }

  /** Draws these nodes, as far as they are there. */
  show(names: readonly string[]): void {
    this.shown = names;
    this.map?.triggerRepaint();
  }

  /** Colours points; heights are those in metres with the first and the last colour. */
  colour(colouring: Colouring, heights: readonly [number, number], size: number): void {
    [this.colouring, this.heights, this.size] = [colouring, heights, size];
    this.fillTable();
    this.map?.triggerRepaint();
  }

  onAdd(map: MapLibre, gl: WebGLRenderingContext | WebGL2RenderingContext): void {
    this.map = map;
    this.gl = gl as WebGL2RenderingContext;
    this.program = link(this.gl);
    this.texture = this.gl.createTexture();
    this.fillTable();
  }

  onRemove(): void {
    for (const name of [...this.held.keys()]) this.release(name);
    this.gl?.deleteProgram(this.program);
    this.gl?.deleteTexture(this.texture);
    this.map = this.gl = this.program = this.texture = null;
  }

  private fillTable(): void {
    const { gl } = this;
    if (!gl) return;
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    const table = tableOf(this.colouring);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, table);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  private release(name: string): void {
    const held = this.held.get(name);
    if (!held) return;
    this.held.delete(name);
    this.gl?.deleteVertexArray(held.array);
    for (const buffer of held.buffers) this.gl?.deleteBuffer(buffer);
  }

  private upload(gl: WebGL2RenderingContext, name: string): Held | null {
    const known = this.held.get(name);
    const points = this.points.get(name);
    if (known || !points) return known ?? null;
    const { program } = this;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const attribute = (label: string, data: Float32Array | Uint16Array, size: number) => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, data as BufferSource, gl.STATIC_DRAW);
      const at = gl.getAttribLocation(program!, label);
      gl.enableVertexAttribArray(at);
      const type = data instanceof Float32Array ? gl.FLOAT : gl.UNSIGNED_SHORT;
      gl.vertexAttribPointer(at, size, type, false, 0, 0);
      return buffer;
    };
    const buffers = [
      attribute("position", points.positions, 3),
      attribute("attributes", points.attributes, 2),
    ];
    gl.bindVertexArray(null);
    const held: Held = { array, buffers, origin: points.origin, count: points.count };
    this.held.set(name, held);
    return held;
  }

  render(
    context: WebGLRenderingContext | WebGL2RenderingContext,
    { defaultProjectionData }: CustomRenderMethodInput,
  ): void {
    const gl = context as WebGL2RenderingContext;
    const { program } = this;
    if (!program) return;
    gl.useProgram(program);
    const uniform = (name: string) => gl.getUniformLocation(program, name);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.uniform1i(uniform("colours"), 0);
    gl.uniform1f(uniform("size"), this.size * window.devicePixelRatio);
    gl.uniform1i(uniform("by"), ["height", "class", "intensity"].indexOf(this.colouring));
    gl.uniform2f(uniform("heights"), ...this.heights);
    gl.uniform1f(uniform("bright"), this.bright || 1);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.depthMask(true);
    const world = Array.from(defaultProjectionData.mainMatrix as ArrayLike<number>);
    const place = uniform("place");
    for (const name of this.shown) {
      const held = this.upload(gl, name);
      if (!held) continue;
      // The product in doubles: places on the map in floats would be off by metres.
      gl.uniformMatrix4fv(place, false, moved(world, held.origin, metreAt(held.origin[1])));
      gl.bindVertexArray(held.array);
      gl.drawArrays(gl.POINTS, 0, held.count);
    }
    gl.bindVertexArray(null);
  }
}

/** A matrix of columns behind a movement to a place, with heights in metres. */
function moved(
  m: readonly number[],
  [x, y]: readonly [number, number],
  metre: number,
): Float32Array {
  const out = Float32Array.from(m);
  for (let row = 0; row < 4; row++) {
    out[8 + row] = m[8 + row]! * metre;
    out[12 + row] = m[row]! * x + m[4 + row]! * y + m[12 + row]!;
  }
  return out;
}

function link(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    throw new Error(gl.getProgramInfoLog(program) ?? "the shaders of points do not link");
  }
  return program;
}
