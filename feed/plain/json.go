package plain

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/geo"
)

// ReadJSON reads an object with the members records, or that of a GeoJSON
// FeatureCollection. Its delta says that what is not in it stays as it was, its
// taken when it was made, and its ended lists ids of records that are over.
func ReadJSON(r io.Reader) (*traffic.Document, error) {
	d := &traffic.Document{}
	found := false
	err := Members(r, func(name string, from *feed.JSONReader) error {
		switch name {
		case "delta":
			return from.Decode(&d.Delta)
		case "taken":
			return from.Decode(&d.Taken)
		case "ended":
			return from.Decode(&d.Ended)
		case "records", "features":
			found = true
			return Elements(from, func() error { return element(d, from, name == "features") })
		}
		return Skip(from)
	})
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, errors.New("neither records nor features")
	}
	d.Finish()
	return d, nil
}

func element(d *traffic.Document, from *feed.JSONReader, feature bool) error {
	var object map[string]json.RawMessage
	if err := decode(from, &object); err != nil {
		return reject(d, err)
	}
	var line []geo.Point
	if feature {
		id := object["id"]
		var ok bool
		if line, ok = Geometry(object["geometry"]); !ok {
			d.Reject(traffic.NoPlace)
			return nil
		}
		raw := object["properties"]
		object = nil
		if err := json.Unmarshal(raw, &object); err != nil {
			return reject(d, err)
		}
		if object["id"] == nil && id != nil && object != nil {
			object["id"] = id
		}
	}
	rec, ok := record(d, texts(object), line)
	if !ok {
		return nil
	}
	return add(d, &rec)
}

// reject counts an element that is not of the type it should be, and passes on
// what is wrong with the document itself.
func reject(d *traffic.Document, err error) error {
	if bad := (*json.UnmarshalTypeError)(nil); errors.As(err, &bad) {
		d.Reject(traffic.Unreadable)
		return nil
	}
	return err
}

// decode reads the next element.
func decode(from *feed.JSONReader, to any) error {
	var raw json.RawMessage
	if err := from.Decode(&raw); err != nil {
		return err
	}
	return json.Unmarshal(raw, to)
}

// Members calls read with the name of each member of the object that r begins
// with; read takes its value from the decoder.
func Members(r io.Reader, read func(name string, from *feed.JSONReader) error) error {
	from := feed.NewJSON(r)
	first, err := from.Token()
	if err != nil {
		return err
	}
	if first != json.Delim('{') {
		return errors.New("not a JSON object")
	}
	for from.More() {
		name, err := from.Token()
		if err != nil {
			return err
		}
		if err := read(name.(string), from); err != nil {
			return fmt.Errorf("%v: %w", name, err)
		}
	}
	if _, err = from.Token(); err != nil {
		return err
	}
	if _, err = from.Token(); errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil {
		err = errors.New("it goes on after its end")
	}
	return err
}

// Elements calls read for each element of the list that follows; read takes it
// from the decoder.
func Elements(from *feed.JSONReader, read func() error) error {
	first, err := from.Token()
	if err != nil {
		return err
	}
	if first != json.Delim('[') {
		return errors.New("not a list")
	}
	for n := 0; from.More(); n++ {
		if n == traffic.MaxSpeeds {
			return fmt.Errorf("a list has more than %d elements", traffic.MaxSpeeds)
		}
		if err := read(); err != nil {
			return err
		}
	}
	_, err = from.Token()
	return err
}

// Skip passes over the value that follows.
func Skip(from *feed.JSONReader) error {
	var raw json.RawMessage
	return from.Decode(&raw)
}

// Geometry returns the points of a Point, MultiPoint or LineString, and those of the
// first line of a MultiLineString.
func Geometry(raw json.RawMessage) ([]geo.Point, bool) {
	var g struct {
		Type        string          `json:"type"`
		Coordinates json.RawMessage `json:"coordinates"`
	}
	if json.Unmarshal(raw, &g) != nil {
		return nil, false
	}
	switch g.Type {
	case "Point":
		var at []float64
		if json.Unmarshal(g.Coordinates, &at) != nil {
			return nil, false
		}
		return points([][]float64{at})
	case "LineString", "MultiPoint":
		var list [][]float64
		if json.Unmarshal(g.Coordinates, &list) != nil {
			return nil, false
		}
		return points(list)
	case "MultiLineString":
		var lines [][][]float64
		if json.Unmarshal(g.Coordinates, &lines) != nil || len(lines) == 0 {
			return nil, false
		}
		return points(lines[0])
	}
	return nil, false
}

func points(list [][]float64) ([]geo.Point, bool) {
	line := make([]geo.Point, len(list))
	for i, at := range list {
		if len(at) < 2 {
			return nil, false
		}
		line[i] = geo.Point{Lon: at[0], Lat: at[1]}
	}
	return line, len(line) > 0
}
