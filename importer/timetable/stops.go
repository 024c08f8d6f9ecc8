package timetable

import (
	"cmp"
	"context"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
)

func (r *reader) readStops(ctx context.Context) error {
	var all []found
	known := map[string]bool{}
	columns := []string{"stop_id", "stop_code", "stop_name", "stop_lat", "stop_lon", "location_type", "parent_station", "platform_code", "wheelchair_boarding", "level_id"}
	err := r.Read(ctx, "stops.txt", columns, func(row *gtfs.Row) {
		id := row.Text(0)
		if known[id] || id == "" {
			r.Faults.Add("stops.txt: a stop twice, or without an id", id)
			return
		}
		known[id] = true
		kind, ok := row.Int(5, timetable.KindArea, timetable.KindStop)
		if !ok {
			r.Faults.Add("stops.txt: a location_type that is none", id)
		}
		wheelchair, _ := row.Int(8, 2, 0)
		s := timetable.Stop{ID: id, Code: row.Text(1), Name: row.Text(2), Platform: row.Text(7), Parent: -1, Kind: uint8(kind), Wheelchair: uint8(wheelchair)}
		at, placed := position(row.Bytes(3), row.Bytes(4))
		p := &stationNode{stop: none, kind: s.Kind, at: at, placed: placed, level: row.Text(9), parent: row.Text(6)}
		if r.Has("pathways.txt") {
			r.places[id] = p
		}
		if known, there := r.register[id]; there {
			s.Indicator, s.Locality, s.Heading = known.indicator, known.locality, known.heading
			s.Name, s.Code = cmp.Or(s.Name, known.name), cmp.Or(s.Code, known.code)
			if !placed && known.placed {
				at, placed = known.at, true
			}
		}
		if !placed {
			if s.Kind <= timetable.KindEntrance {
				r.Faults.Add("stops.txt: a stop without coordinates, or at 0,0", id)
			}
			return
		}
		s.NameIn = r.namesOf(stopName, id, "", s.Name)
		s.At, s.Indicator = at, cmp.Or(s.Indicator, s.Platform)
		all = append(all, found{s, p})
	})
	if err != nil {
		return err
	}
	r.joinStops(all)
	for _, f := range all {
		if f.stationNode.parent == "" {
			continue
		}
		parent, there := r.stop[f.stationNode.parent]
		if !there || parent == f.stationNode.stop {
			r.Faults.Add("stops.txt: a parent_station that is not there", f.stationNode.parent)
			continue
		}
		if n := f.stationNode.stop; r.stops[n].Parent < 0 { // another feed's stop keeps the station that it has
			r.stops[n].Parent = parent
			r.SetParent(n, parent)
		}
	}
	return nil
}

// position reads coordinates, which are not 0,0.
func position(lat, lon []byte) (geo.Point, bool) {
	y, ok := gtfs.Degrees(lat, 90)
	x, too := gtfs.Degrees(lon, 180)
	return geo.Point{Lon: x, Lat: y}, ok && too && (x != 0 || y != 0)
}
