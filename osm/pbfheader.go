package osm

import (
	"errors"
	"fmt"
	"time"

	"github.com/waygate/waygate/geo"
)

// Features a PBF header may name.
const (
	featureSchema  = "OsmSchema-V0.6"
	featureDense   = "DenseNodes"
	featureHistory = "HistoricalInformation"
	featureSorted  = "Sort.Type_then_ID"
)

// readPBFHeader reads the first file block, which must be the header.
func readPBFHeader(f *frames) (Header, error) {
	kind, blob, err := f.next(nil)
	if err != nil {
		return Header{}, cutInside(err, "its header")
	}
	if kind != typeHeader {
		return Header{}, fmt.Errorf("the first block is of type %q, not %s", kind, typeHeader)
	}
	var in inflater
	defer in.close()
	raw, err := in.unpack(blob, Options{})
	if err != nil {
		return Header{}, err
	}
	return decodeHeader(raw)
}

func decodeHeader(raw []byte) (Header, error) {
	h := Header{Bounds: geo.NoBounds()}
	schema := false
	m := message{b: raw}
	for m.next() {
		switch m.field {
		case 1:
			box, err := decodeBox(m.bytes())
			if err != nil {
				return Header{}, err
			}
			h.Bounds = box
		case 4:
			switch feature := string(m.bytes()); feature {
			case featureSchema:
				schema = true
			case featureDense:
			case featureHistory:
				return Header{}, errors.New("it is a history file (HistoricalInformation), which is not supported; cut a moment out of it first (osmium time-filter does)")
			default:
				return Header{}, fmt.Errorf("it requires the feature %q, which is not supported", feature)
			}
		case 5:
			if string(m.bytes()) == featureSorted {
				h.Sorted = true
			}
		case 16:
			h.Generator = string(m.bytes())
		case 32:
			if s := int64(m.varint()); s > 0 && s < 1<<36 {
				h.Timestamp = time.Unix(s, 0).UTC()
			}
		}
	}
	if m.err != nil {
		return Header{}, m.err
	}
	if !schema {
		return Header{}, fmt.Errorf("its header does not name the feature %s", featureSchema)
	}
	return h, nil
}

// decodeBox reads a bounding box in units of 1e-9 degrees. A box off the globe
// or turned inside out says nothing and is taken as none.
func decodeBox(b []byte) (geo.Bounds, error) {
	var left, right, top, bottom int64
	m := message{b: b}
	for m.next() {
		switch m.field {
		case 1:
			left = m.signed()
		case 2:
			right = m.signed()
		case 3:
			top = m.signed()
		case 4:
			bottom = m.signed()
		}
	}
	if m.err != nil {
		return geo.Bounds{}, fmt.Errorf("bounding box: %w", m.err)
	}
	box := geo.Bounds{
		Min: geo.Point{Lon: float64(left) / 1e9, Lat: float64(bottom) / 1e9},
		Max: geo.Point{Lon: float64(right) / 1e9, Lat: float64(top) / 1e9},
	}
	if !box.Min.Valid() || !box.Max.Valid() || box.Empty() {
		return geo.NoBounds(), nil
	}
	return box, nil
}
