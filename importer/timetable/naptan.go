package timetable

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/proj"
	"github.com/waygate/waygate/gtfs"
)

// registered is a stop's entry in NaPTAN.
type registered struct {
	code, name, indicator, locality string
	heading                         string // N, NE and so on
	at                              geo.Point
	placed, retired                 bool
}

var compass = []string{"N", "NE", "E", "SE", "S", "SW", "W", "NW"}

// readRegister reads NaPTAN's stops (https://www.gov.uk/government/publications/national-public-transport-access-node-schema).
// Rail stations' coordinates there are up to 3.8 km off, and are not taken.
func (b *builder) readRegister(ctx context.Context, path string) (err error) {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	in := io.Reader(bufio.NewReaderSize(file, 1<<16))
	if head, _ := in.(*bufio.Reader).Peek(2); bytes.Equal(head, []byte{0x1f, 0x8b}) {
		if in, err = gzip.NewReader(in); err != nil {
			return fmt.Errorf("stops of %s: %w", path, err)
		}
	}
	british := proj.NewBritish()
	columns := []string{"ATCOCode", "NaptanCode", "CommonName", "Indicator", "LocalityName", "Longitude", "Latitude", "Easting", "Northing", "StopType", "Status", "Bearing"}
	faults, err := gtfs.ReadTable(ctx, in, "stops", columns, func(row *gtfs.Row) {
		s := registered{code: row.Text(1), name: row.Text(2), indicator: row.Text(3), locality: row.Text(4)}
		if kind := row.Text(9); !strings.HasPrefix(kind, "R") {
			s.at, s.placed = position(row.Bytes(6), row.Bytes(5))
			east, ok := gtfs.Degrees(row.Bytes(7), 1e6)
			north, too := gtfs.Degrees(row.Bytes(8), 2e6)
			if !s.placed && ok && too {
				s.at.Lon, s.at.Lat, s.placed = british.WGS84(east, north)
			}
		}
		if heading := strings.ToUpper(row.Text(11)); slices.Contains(compass, heading) {
			s.heading = heading
		}
		s.retired = strings.EqualFold(row.Text(10), "inactive") || strings.HasPrefix(strings.ToLower(row.Text(10)), "del")
		if known, repeated := b.register[row.Text(0)]; row.Text(0) != "" && (!repeated || known.retired || !s.retired) {
			b.register[row.Text(0)] = s
		}
	})
	if err != nil {
		return fmt.Errorf("stops of %s: %w", path, err)
	}
	b.faults.Merge(filepath.Base(path), faults)
	b.counts["timetable_registered_stops"] = int64(len(b.register))
	return nil
}

// countRetired counts the stops that NaPTAN has as no longer in use and at which vehicles
// call all the same. The timetable counts: they stay.
func (b *builder) countRetired() {
	for n, s := range b.stops {
		if b.visited[int32(n)] && b.register[s.ID].retired {
			b.faults.Add("stops that NaPTAN has as no longer in use and that have departures", s.ID+" "+s.Name)
		}
	}
}
