/** Where the map looks. */
export interface Camera {
  readonly zoom: number;
  readonly lat: number;
  readonly lon: number;
}
