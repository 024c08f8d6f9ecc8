package pointcloudtest

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/waygate/waygate/pointcloud/las"
	"github.com/waygate/waygate/pointcloud/laz"
)

var le = binary.LittleEndian

// Draw draws records of a format with extra bytes: mostly a survey with returns in turn,
// slow steps and few changes; now and then a jump or noise in every field.
func Draw(r *rand.Rand, format, extra, points int) []byte {
	size := las.FormatSize(format) + extra
	all := make([]byte, 0, points*size)
	rec := make([]byte, size)
	x, y, z, time := int32(r.Uint32()), int32(5), int32(-7), 3e8
	calm := r.IntN(2) == 0
	for range points {
		if r.IntN(40) == 0 && !calm {
			for i := range rec {
				rec[i] = byte(r.Uint32())
			}
		}
		if r.IntN(200) == 0 && !calm {
			x, y, z, time = int32(r.Uint32()), int32(r.Uint32()), math.MinInt32, time+1e7
		}
		x, y, z = x+int32(r.IntN(99)), y-int32(r.IntN(50)), z+int32(r.IntN(21))-10
		le.PutUint32(rec, uint32(x))
		le.PutUint32(rec[4:], uint32(y))
		le.PutUint32(rec[8:], uint32(z))
		if r.IntN(3) > 0 {
			le.PutUint16(rec[12:], uint16(r.IntN(300)))
			rec[14] = byte(r.IntN(5)) | byte(r.IntN(5))<<3
			time += float64(r.IntN(3)) * 1e-5
		}
		if r.IntN(9) == 0 && !calm {
			rec[15] = byte(r.Uint32()) // class or flags and channel
			rec[16] = byte(r.IntN(30))
			rec[17]++
			rec[19] = byte(r.IntN(3))
		}
		if at := las.TimeAt(format); at > 0 && !calm {
			le.PutUint64(rec[at:], math.Float64bits(time))
		}
		if r.IntN(4) == 0 && !calm {
			for i := las.FormatSize(min(format, 6)); i < size; i++ {
				if r.IntN(3) == 0 && (format >= 6 || i >= 28) {
					rec[i] += byte(r.IntN(5))
				}
			}
		}
		all = append(all, rec...)
	}
	return all
}

// LAZ returns the bytes of a compressed file with records of a format.
func LAZ(format, extra int, chunk uint32, records []byte) ([]byte, error) {
	scheme, err := laz.NewScheme(format, extra, chunk)
	if err != nil {
		return nil, err
	}
	size := scheme.RecordSize()
	h := las.Header{
		Format: format, Compressed: true, RecordSize: size, Points: int64(len(records) / size), Scale: [3]float64{0.01, 0.01, 0.01},
		Records: []las.Record{{UserID: laz.UserID, ID: laz.RecordID, Data: scheme.Record()}},
	}
	file, err := h.Append(nil, 0, 0)
	if err != nil {
		return nil, err
	}
	start := len(file)
	file = le.AppendUint64(file, 0)
	encoder := laz.NewEncoder(scheme)
	var chunks []laz.Chunk
	for len(records) > 0 {
		n := min(int(chunk)*size, len(records))
		if chunk == laz.Variable {
			n = min(size*(1+len(records)/size/3), len(records))
		}
		at := len(file)
		file = encoder.Append(file, records[:n])
		chunks = append(chunks, laz.Chunk{Bytes: int64(len(file) - at), Points: int64(n / size)})
		records = records[n:]
	}
	le.PutUint64(file[start:], uint64(len(file)))
	return scheme.AppendTable(file, chunks), nil
}
