package scan

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/waygate/waygate/clearance/measure"
	"github.com/waygate/waygate/pointcloud/las"
)

// WKT returns a reference system of metres with heights.
func WKT(epsg, vertical int) string {
	return fmt.Sprintf(`COMPD_CS["drawn",PROJCS["drawn",UNIT["metre",1],AUTHORITY["EPSG","%d"]],VERT_CS["drawn height",UNIT["metre",1],AUTHORITY["EPSG","%d"]]]`, epsg, vertical)
}

// Day is the time of the points of LAS, as standard GPS time: 2 June 2025.
const Day = 432_900_000

// LAS returns the bytes of a file with the returns of scenes. Point formats are 6.
func LAS(r *rand.Rand, wkt string, c *Scanner, scenes ...*PlacedScene) ([]byte, error) {
	h := las.Header{Format: 6, RecordSize: las.FormatSize(6), GlobalEncoding: 1, Scale: [3]float64{0.001, 0.001, 0.001}, Software: "Waygate, drawn"}
	h.Offset = [3]float64{math.Floor(scenes[0].X), math.Floor(scenes[0].Y), 0}
	h.Min, h.Max = [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}, [3]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	if wkt != "" {
		if err := h.SetWKT(wkt); err != nil {
			return nil, err
		}
	}
	var points []byte
	for number, p := range scenes {
		c.Scan(r, p.Scene, func(v Vec, _ Material, bits, pass uint8) {
			if math.Abs(v[1]) > 12 {
				return
			}
			x, y := p.World(v[0], v[1])
			rec := make([]byte, h.RecordSize)
			for i, value := range [3]float64{x, y, v[2] + p.Z} {
				n := int32(math.Round((value - h.Offset[i]) / h.Scale[i]))
				binary.LittleEndian.PutUint32(rec[4*i:], uint32(n))
				exact := float64(n)*h.Scale[i] + h.Offset[i]
				h.Min[i], h.Max[i] = min(h.Min[i], exact), max(h.Max[i], exact)
			}
			rec[14] = 1 | 1<<4
			if bits&measure.Multi != 0 {
				rec[14] = 1 | 2<<4
			}
			rec[16] = 1 // unclassified
			if bits&measure.Doubted != 0 {
				rec[16] = [...]byte{7, 18}[h.Points%2]
			}
			binary.LittleEndian.PutUint16(rec[20:], uint16(number*c.Passes+int(pass)))
			binary.LittleEndian.PutUint64(rec[22:], math.Float64bits(Day+float64(h.Points)*1e-6))
			points = append(points, rec...)
			h.Points++
			h.Returns[0]++
		})
	}
	file, err := h.Append(nil, 0, 0)
	return append(file, points...), err
}
