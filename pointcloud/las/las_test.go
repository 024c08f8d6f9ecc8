package las_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/pointcloud/las"
	"github.com/waygate/waygate/pointcloud/pointcloudtest"
)

const (
	meuse = `COMPD_CS["RD + NAP",PROJCS["Amersfoort / RD New",GEOGCS["Amersfoort",AUTHORITY["EPSG","4289"]],UNIT["metre",1,AUTHORITY["EPSG","9001"]],AXIS["X",EAST],AUTHORITY["EPSG","28992"]],` +
		`VERT_CS["NAP ""height""",VERT_DATUM["Normaal Amsterdams Peil",2005],UNIT["metre",1],AUTHORITY["EPSG","5709"]]]`
	oregon = `COMPOUNDCRS["x",PROJCRS["NAD83 / Oregon",BASEGEOGCRS["NAD83",ID["EPSG",4269]],CS[Cartesian,2],AXIS["e",east,LENGTHUNIT["foot",0.3048]],ID["EPSG",2992]],` +
		`VERTCRS["NAVD88 height (ftUS)",VDATUM["n"],CS[vertical,1],AXIS["h",up,LENGTHUNIT["US survey foot",0.304800609601219]],ID["EPSG",6360]]]`
)

func TestReferenceSystems(t *testing.T) {
	keys := func(values ...uint16) []byte {
		var b []byte
		for _, v := range append([]uint16{1, 1, 0, uint16(len(values) / 4)}, values...) {
			b = binary.LittleEndian.AppendUint16(b, v)
		}
		return b
	}
	record := func(id uint16, data []byte) las.Record {
		return las.Record{UserID: "LASF_Projection", ID: id, Data: data}
	}
	rd := las.System{Name: "Amersfoort / RD New", EPSG: 28992, Unit: 1}
	nap := las.System{Name: `NAP "height"`, EPSG: 5709, Unit: 1}
	for name, c := range map[string]struct {
		records []las.Record
		want    las.CRS
	}{
		"none":      {},
		"WKT 1":     {[]las.Record{record(2112, []byte(meuse+"\x00"))}, las.CRS{Horizontal: rd, Vertical: nap, WKT: meuse}},
		"WKT 2":     {[]las.Record{record(2112, []byte(oregon))}, las.CRS{Horizontal: las.System{Name: "NAD83 / Oregon", EPSG: 2992, Unit: 0.3048}, Vertical: las.System{Name: "NAVD88 height (ftUS)", EPSG: 6360, Unit: 0.304800609601219}, WKT: oregon}},
		"projected": {[]las.Record{record(34735, keys(1024, 0, 1, 1, 3072, 0, 1, 27700, 3073, 34737, 4, 2, 3076, 0, 1, 9001, 4096, 0, 1, 5701, 4099, 0, 1, 9003)), record(34737, []byte("xxGB|\x00"))}, las.CRS{Horizontal: las.System{Name: "GB", EPSG: 27700, Unit: 1}, Vertical: las.System{EPSG: 5701, Unit: 1200. / 3937}}},
		"degrees":   {[]las.Record{record(34735, keys(1024, 0, 1, 2, 2048, 0, 1, 4326))}, las.CRS{Horizontal: las.System{EPSG: 4326, Degrees: true}}},
		"text with vertical keys": {
			[]las.Record{record(2112, []byte(`PROJCS["GB",UNIT["metre",1],AUTHORITY["EPSG","27700"]]`)), record(34735, keys(3072, 0, 1, 2992, 4096, 0, 1, 6360, 4099, 0, 1, 9003))},
			las.CRS{Horizontal: las.System{Name: "GB", EPSG: 27700, Unit: 1}, Vertical: las.System{EPSG: 6360, Unit: 1200. / 3937}, WKT: `PROJCS["GB",UNIT["metre",1],AUTHORITY["EPSG","27700"]]`},
		},
		"user's":  {[]las.Record{record(34735, keys(3072, 0, 1, 32767))}, las.CRS{}},
		"cut off": {[]las.Record{record(34735, keys(3073, 34737, 500, 0, 3072, 0, 1, 1)[:20])}, las.CRS{}},
		"no text": {[]las.Record{record(2112, []byte(meuse[:90]))}, las.CRS{}},
		"geographic": {
			[]las.Record{record(2112, []byte(`GEOGCS["WGS 84",UNIT["degree",0.0174],AUTHORITY["EPSG","4326"]]`))},
			las.CRS{Horizontal: las.System{Name: "WGS 84", EPSG: 4326, Degrees: true}, WKT: `GEOGCS["WGS 84",UNIT["degree",0.0174],AUTHORITY["EPSG","4326"]]`},
		},
	} {
		h := las.Header{Records: c.records}
		assert.DeepEqual(t, h.ReadCRS(), c.want)
		_ = name
	}
	h := las.Header{Records: []las.Record{record(34735, keys(3072, 0, 1, 27700)), {UserID: "other", ID: 1}}}
	assert.NilError(t, h.SetWKT(meuse))
	assert.Equal(t, len(h.Records), 2)
	assert.Equal(t, h.ReadCRS().Vertical, nap)
	assert.ErrorContains(t, h.SetWKT("EPSG:28992"), "EPSG:28992")
}

// TestHeadersComeBack writes headers and reads them.
func TestHeadersComeBack(t *testing.T) {
	want := las.Header{
		Major: 1, Minor: 4, SourceID: 7, GlobalEncoding: 17, System: "s", Software: "w", DayOfYear: 60, Year: 2024, Format: 7, RecordSize: 40, Points: 3,
		Returns: [15]int64{1, 2}, Scale: [3]float64{0.1, 0.01, 0.001}, Offset: [3]float64{1, 2, 3}, Min: [3]float64{-1, -2, -3}, Max: [3]float64{4, 5, 6},
		Records: []las.Record{{UserID: "a", ID: 1, Description: "d", Data: []byte("one")}, {UserID: "b", ID: 2, Data: []byte{}}},
	}
	want.PointsStart = int64(las.Header14Size + want.RecordsSize())
	end := want.PointsStart + 120
	file, err := want.Append(nil, end, 2)
	assert.NilError(t, err)
	file = append(file, make([]byte, 120)...)
	file = las.AppendExtended(file, las.Record{UserID: "e", ID: 9, Data: []byte("long")})
	file = las.AppendExtended(file, las.Record{UserID: "LASF_Projection", ID: 2112, Data: []byte(meuse)})
	got, err := las.Read(bytes.NewReader(file), int64(len(file)))
	assert.NilError(t, err)
	assert.Equal(t, got.ReadCRS().Vertical.EPSG, 5709)
	want.Records = append(want.Records, las.Record{UserID: "LASF_Projection", ID: 2112, Data: []byte(meuse)})
	want.Extended = []las.Extended{{UserID: "e", ID: 9, Start: end + 60, Size: 4}, {UserID: "LASF_Projection", ID: 2112, Start: end + 124, Size: int64(len(meuse))}}
	assert.DeepEqual(t, *got, want)
	day, ok := got.Created()
	assert.Assert(t, ok)
	assert.Equal(t, day.Format("2006-01-02"), "2024-02-29")
	want.Records = []las.Record{{Data: make([]byte, 1<<16)}}
	_, err = want.Append(nil, 0, 0)
	assert.ErrorContains(t, err, "65536 bytes")
}

// TestModerniseKeepsEveryField compares the fields of points before and after.
func TestModerniseKeepsEveryField(t *testing.T) {
	for format := range 11 {
		records := pointcloudtest.Draw(rand.New(rand.NewPCG(9, uint64(format))), format, 2, 500)
		size, to := las.FormatSize(format)+2, las.ExtendedFormat(format)
		rec := make([]byte, las.FormatSize(to)+2)
		for ; len(records) > 0; records = records[size:] {
			las.Modernise(rec, records[:size], format)
			want, got := las.Decode(records, format), las.Decode(rec, to)
			if format < 6 && want.Class == 12 {
				want.Class, want.ClassFlags = 1, want.ClassFlags|8
			}
			assert.Assert(t, math.Abs(want.ScanAngle-got.ScanAngle) <= 0.003)
			want.ScanAngle = got.ScanAngle
			if want.Time != want.Time {
				want.Time, got.Time = 0, 0
			}
			assert.Equal(t, got, want)
			assert.DeepEqual(t, rec[len(rec)-2:], records[size-2:size])
		}
	}
}

func FuzzRead(f *testing.F) {
	h := las.Header{Format: 6, RecordSize: 30, Scale: [3]float64{1, 1, 1}, Records: []las.Record{{UserID: "LASF_Projection", ID: 2112, Data: []byte(meuse)}}}
	file, err := h.Append(nil, int64(las.Header14Size+h.RecordsSize()), 1)
	assert.NilError(f, err)
	f.Add(las.AppendExtended(file, las.Record{UserID: "LASF_Projection", ID: 34735, Data: []byte("12345678")}))
	f.Add([]byte(meuse))
	f.Add([]byte(oregon))
	f.Fuzz(func(t *testing.T, file []byte) {
		h := las.Header{Records: []las.Record{{UserID: "LASF_Projection", ID: 2112, Data: file}, {UserID: "LASF_Projection", ID: 34735, Data: file}, {UserID: "LASF_Projection", ID: 34737, Data: file}}}
		_ = h.ReadCRS()
		h.Records = h.Records[1:]
		_ = h.ReadCRS()
		if read, err := las.Read(bytes.NewReader(file), int64(len(file))); err == nil {
			_ = read.ReadCRS()
		}
	})
}
