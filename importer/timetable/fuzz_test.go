package timetable_test

import (
	"maps"
	"slices"
	"testing"

	importer "github.com/waygate/waygate/importer/timetable"
	"github.com/waygate/waygate/index/timetable"
)

// whole is a feed with every table that is read.
var whole = drawing{
	"stops.txt":          "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,level_id\nS,Central,51.5,-0.1,1,,\nA,Central,51.5,-0.1001,0,S,l1\nB,Central,51.5,-0.1002,0,S,l2\nE,Gate,51.5,-0.1,2,S,l1\nC,Away,51.6,-0.1,0,,\nD,Hill,51.7,-0.1,0,,\n",
	"trips.txt":          "route_id,service_id,trip_id,trip_headsign,block_id,shape_id\nr1,all,t1,Delta,b,s\nr2,all,t2,Delta,b,s\n",
	"stop_times.txt":     calls("t1 A@8:00 C@8:20", "t2 C@8:30 D@8:40 A@8:50"),
	"calendar_dates.txt": "service_id,date,exception_type\nall,20240110,2\n",
	"frequencies.txt":    "trip_id,start_time,end_time,headway_secs,exact_times\nt2,09:00:00,10:00:00,1200,1\n",
	"shapes.txt":         "shape_id,shape_pt_sequence,shape_pt_lat,shape_pt_lon\ns,1,51.5,-0.1\ns,2,51.6,-0.1\ns,3,51.7,-0.1\n",
	"transfers.txt":      "from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type,min_transfer_time\nS,C,,,2,100\nA,B,t1,t2,3,\n,,t1,t2,4,\n",
	"pathways.txt":       "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,length,traversal_time,stair_count\n1,A,B,2,1,10,,40\n2,B,E,1,0,,30,\n",
	"levels.txt":         "level_id,level_index\nl1,0\nl2,-1\n",
	"translations.txt":   "table_name,field_name,language,translation,record_id,record_sub_id,field_value\nstops,stop_name,cy,Gorsaf,A,,\ntrips,trip_headsign,cy,Bryn,,,Delta\n",
	"feed_info.txt":      "feed_publisher_name,feed_publisher_url,feed_version\nTown,http://t.example,1\n",
	"attributions.txt":   "organization_name,is_producer\nTown,1\n",
}

// FuzzBuild replaces a table of a feed: it is refused, or gives a timetable that answers.
func FuzzBuild(f *testing.F) {
	all := maps.Clone(base)
	maps.Copy(all, whole)
	names := slices.Sorted(maps.Keys(all))
	for i, name := range names {
		f.Add(uint8(i), all[name])
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, table uint8, text string) {
		draw := maps.Clone(all)
		draw[names[int(table)%len(names)]] = text
		feed := draw.folder(t)
		o := importer.Options{Feeds: []string{feed}, Out: dir + "/section"}
		if _, err := importer.Build(t.Context(), o); err != nil {
			return
		}
		x, _ := built(t, o)
		for n := range uint32(x.Stops()) {
			_, _, _, _ = x.LinesAt(n, timetable.All, "cy"), x.Transfers(n), x.Walks(n), x.CallsAt(n)
		}
		for p := range uint32(x.Patterns()) {
			stops := x.PatternStops(p)
			if line := x.Shape(p, 0, len(stops)-1); len(line) == 0 {
				t.Errorf("no line along %d stops", len(stops))
			}
			first, count := x.PatternTrips(p)
			for trip := range count {
				last := int32(0)
				for _, c := range x.Times(p, trip) {
					if c.Arrive < last || c.Depart < c.Arrive {
						t.Errorf("times run backwards: %v", x.Times(p, trip))
					}
					last = c.Depart
				}
				_ = x.Continuations(first + trip)
			}
		}
	})
}
