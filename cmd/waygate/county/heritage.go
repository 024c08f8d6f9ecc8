package county

import (
	"encoding/json"
	"io"
	"math"

	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/heritage"
	"github.com/waygate/waygate/sample"
)

// inventedEntry is an entry so many metres along the corridor and beside it.
type inventedEntry struct {
	id, subject, text string
	along, beside     float64
	only              string // "out" or "back" where it is for one direction of travel
	plaque            string
}

var inventedEntries = []inventedEntry{
	{id: "market", subject: "Stannerford market", text: "A plaque of this invented county says that Stannerford held its market here from 1291.", along: 180, beside: 12, plaque: "halvern:1"},
	{id: "smithy", subject: "The smithy of Peder Lang", text: "Peder Lang shod the horses of the mail here, in a story as invented as the county.", along: 700, beside: 25},
	{id: "tollhouse", subject: "The Stannerford toll house", text: "Carts bound for Stannerford paid two pence here until 1862, in the invented records of the turnpike.", along: 1500, beside: 18, only: "back"},
	{id: "low-bridge", subject: "The low bridge", text: "The invented Halvern Light Railway crossed this road on the low bridge from 1874.", along: 2400, beside: 8, only: "out"},
	{id: "battle", subject: "The field of 1461", text: "Two armies are said to have missed each other in fog here in 1461. The county they fought over is invented.", along: 3300, beside: 70},
}

// writeHeritage writes the corridor of the county: the A3950 from Stannerford to its first
// roundabout.
func writeHeritage(path string, s *sample.Sample) error {
	const ref = "A3950"
	at := make(map[int64]geo.Point, len(s.Data.Nodes))
	for _, n := range s.Data.Nodes {
		at[n.ID] = geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point()
	}
	var line []geo.Point
	last := int64(0)
	for i := range s.Data.Ways {
		w := &s.Data.Ways[i]
		if w.Tags.Get("ref") != ref || last != 0 && w.Nodes[0] != last {
			continue
		}
		for _, n := range w.Nodes {
			if n != last {
				line, last = append(line, at[n]), n
			}
		}
	}
	c := heritage.Corpus{
		Format: heritage.Format, Version: heritage.Version, ReviewedOn: "2026-11-30", Attribution: []string{"invented, as the county is"},
		Corridor: heritage.Corridor{ID: "halvern-a3950", Name: "The Stannerford road", Road: ref},
	}
	for _, p := range line {
		c.Corridor.Line = append(c.Corridor.Line, [2]float64{p.Lon, p.Lat})
	}
	ruler := geo.NewRuler(line)
	for _, e := range inventedEntries {
		foot := ruler.At(e.along)
		p := geo.Destination(foot.Point, foot.Bearing+90, e.beside)
		entry := heritage.Entry{
			ID: "halvern-" + e.id, Lat: sixDigits(p.Lat), Lon: sixDigits(p.Lon), Text: e.text, Subject: e.subject, Basis: "record",
			Source: "https://halvern.example.org/heritage/" + e.id, Licence: "CC0-1.0", Reviewer: "Waygate project",
		}
		if e.plaque != "" {
			entry.Basis, entry.PlaqueIDs = "plaque", []string{e.plaque}
		}
		switch way := math.Round(foot.Bearing); e.only {
		case "out":
			entry.Direction = &way
		case "back":
			way = math.Mod(way+180, 360)
			entry.Direction = &way
		}
		c.Entries = append(c.Entries, entry)
	}
	return files.Replace(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(c) })
}

func sixDigits(degrees float64) float64 { return math.Round(degrees*1e6) / 1e6 }
