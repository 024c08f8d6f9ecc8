// Package wzdx reads work zones as the Work Zone Data Exchange has them, versions 4.0
// to 4.2: GeoJSON of roadworks, of which those that close all lanes close the road.
package wzdx

import (
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/lenient"
	"github.com/waygate/waygate/feed/plain"
	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/road/link"
)

// zone has the members of a feature that are read.
type zone struct {
	ID         string          `json:"id"`
	Geometry   json.RawMessage `json:"geometry"`
	Properties struct {
		Core   core   `json:"core_details"`
		Start  string `json:"start_date"`
		End    string `json:"end_date"`
		Impact string `json:"vehicle_impact"`
		Lanes  []struct {
			Status string `json:"status"`
			Type   string `json:"type"`
		} `json:"lanes"`
		Work []struct {
			Name string `json:"type_name"`
		} `json:"types_of_work"`
	} `json:"properties"`
}

type core struct {
	Type        string   `json:"event_type"`
	Roads       []string `json:"road_names"`
	Direction   string   `json:"direction"`
	Description string   `json:"description"`
	Updated     string   `json:"update_date"`
}

// Read reads a feed, which has all that its publisher reports.
func Read(r io.Reader) (*traffic.Document, error) {
	d := &traffic.Document{}
	found := false
	err := plain.Members(r, func(name string, from *feed.JSONReader) error {
		switch name {
		case "feed_info", "road_event_feed_info":
			var info struct {
				Updated time.Time `json:"update_date"`
			}
			var raw json.RawMessage
			if err := from.Decode(&raw); err != nil {
				return err
			}
			if json.Unmarshal(raw, &info) == nil {
				d.Taken = info.Updated
			}
			return nil
		case "features":
			found = true
			return plain.Elements(from, func() error { return feature(d, from) })
		}
		return plain.Skip(from)
	})
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, errors.New("no features")
	}
	d.Finish()
	return d, nil
}

func feature(d *traffic.Document, from *feed.JSONReader) error {
	var raw json.RawMessage
	if err := from.Decode(&raw); err != nil {
		return err
	}
	var z zone
	if !reads(raw, &z) {
		d.Reject(traffic.Unreadable)
		return nil
	}
	p := &z.Properties
	switch p.Core.Type {
	case "work-zone", "detour":
	case "":
		d.Reject("not a work zone") // a device, or of a version before 4
		return nil
	}
	if p.Core.Type == "detour" {
		d.Reject("a detour is no incident")
		return nil
	}
	line, ok := plain.Geometry(z.Geometry)
	if !ok {
		d.Reject(traffic.NoPlace)
		return nil
	}
	w := traffic.Window{From: lenient.Time(p.Start), Until: lenient.Time(p.End)}
	rec := traffic.Record{
		ID: z.ID, Place: link.Place{Line: line}, Closed: p.Impact == "all-lanes-closed", Windows: []traffic.Window{w},
		Incident: &traffic.Incident{
			Situation: z.ID, Kind: "roadworks", Severity: severity(p.Impact), Roads: p.Core.Roads,
			Direction: p.Core.Direction, Description: p.Core.Description, Updated: lenient.Time(p.Core.Updated),
		},
	}
	in := rec.Incident
	if len(p.Work) > 0 {
		in.Cause = p.Work[0].Name
	}
	if rec.Closed {
		in.Kind = "closure"
	}
	if heading, ok := lenient.Heading(p.Core.Direction); ok && len(line) == 1 {
		rec.Place.Heading = &heading
	}
	if len(p.Lanes) > 0 {
		shut, open := 0, 0
		for _, l := range p.Lanes {
			switch {
			case l.Type == "shoulder" || l.Type == "sidewalk" || l.Type == "bike-lane":
			case l.Status == "closed":
				shut++
			default:
				open++
			}
		}
		in.LanesClosed, in.LanesOpen = &shut, &open
	}
	return d.Add(&rec)
}

// reads reports whether a feature is of the types it should be.
func reads(raw json.RawMessage, z *zone) bool { return json.Unmarshal(raw, z) == nil }

// severity returns how grave the impact on vehicles is.
func severity(impact string) string {
	switch impact {
	case "all-lanes-closed":
		return "highest"
	case "some-lanes-closed", "alternating-one-way", "flagging":
		return "medium"
	case "all-lanes-open", "all-lanes-open-shift-left", "all-lanes-open-shift-right":
		return "low"
	}
	return "unknown"
}
