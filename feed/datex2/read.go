// Package datex2 reads DATEX II, versions 2 and 3: what has happened on the roads
// (situations), how fast traffic moves (measured and elaborated data), and where
// the links and sites are by which these give their places. Elements are recognised by
// their local names, so that envelopes and prefixes do not matter, and what is
// not known is passed over: national extensions never stop a feed. Nothing is
// held but the records.
package datex2

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/waygate/waygate/feed/lenient"
	"github.com/waygate/waygate/feed/traffic"
)

// reader goes through one document.
type reader struct {
	s         *scanner
	d         *traffic.Document
	path      []string // names of the open elements that are known, "" for others
	text      []byte   // of the innermost element, where it is wanted
	wantsText bool     // text is wanted
	known     bool     // something of DATEX II was seen

	situation situation
	record    *record
	site      *site
	link      *stretch
	shapes    map[string]int // in the document's links, of those whose line has a container of its own
	clocks    clocks
}

// maxText is how many bytes the text of one element may have: a line of 20,000
// points.
const maxText = 1 << 20

// Read reads a document. Its records are all of its source, unless it says that it is an
// update.
func Read(r io.Reader) (*traffic.Document, error) {
	x := &reader{s: newScanner(r), d: &traffic.Document{}, clocks: clocks{}, shapes: map[string]int{}}
	for {
		t, err := x.s.next()
		if err != nil {
			return nil, err
		}
		switch t {
		case start:
			err = x.open()
		case end:
			err = x.close()
		case text:
			if x.wantsText {
				x.text = append(x.text, x.s.text...)
				if len(x.text) > maxText {
					err = errors.New("an element has more than 1 MiB of text")
				}
			}
		case endOfFile:
			switch {
			case len(x.path) > 0:
				return nil, errCut
			case !x.known:
				return nil, errors.New("not DATEX II: no publication in it")
			}
			x.d.Finish()
			x.preferShapes()
			return x.d, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func (x *reader) open() error {
	if len(x.path) == maxDepth {
		return errors.New("elements within elements, more than 256 deep")
	}
	name := names[string(x.s.name)]
	x.path = append(x.path, name)
	x.text, x.wantsText = x.text[:0], leaves[name]
	switch name {
	case "d2LogicalModel", "payload", "messageContainer":
		x.known = true
	case "situation":
		x.situation = situation{id: x.s.attribute("id")}
	case "situationRecord":
		x.record = newRecord(x.s.attribute("id"), x.s.attribute("type"))
		x.record.clocks = x.clocks
	case "siteMeasurements", "elaboratedData":
		x.site = &site{}
	case "predefinedLocation", "predefinedLocationContainer", "measurementSiteRecord":
		x.openStretch(x.s.attribute("id"))
	case "measurementSiteReference", "predefinedLocationReference":
		x.reference(x.s.attribute("id"))
	case "openlrLocationReferencePoint", "openlrLastLocationReferencePoint":
		if x.record != nil {
			x.record.place.beginReferencePoint(name == "openlrLastLocationReferencePoint")
		}
	case "validPeriod":
		if x.record != nil {
			x.record.beginPeriod()
		}
	case "recurringTimePeriodOfDay", "recurringSpecialDay":
		if p := x.period(); p != nil {
			p.begin(name)
		}
	case "basicData", "physicalQuantity":
		if x.site != nil {
			x.site.begin()
		}
	}
	return nil
}

func (x *reader) close() error {
	if len(x.path) == 0 {
		return errors.New("an end without a beginning")
	}
	name := x.path[len(x.path)-1]
	if x.wantsText && leaves[name] {
		x.leaf(name, bytes.TrimSpace(x.text))
	}
	x.wantsText = false
	x.path = x.path[:len(x.path)-1]
	switch name {
	case "situationRecord":
		r := x.record
		x.record = nil
		if r != nil {
			return r.add(x.d, &x.situation)
		}
	case "siteMeasurements", "elaboratedData":
		m := x.site
		x.site = nil
		if m != nil {
			return m.add(x.d)
		}
	case "basicData", "physicalQuantity":
		if x.site != nil {
			x.site.end()
		}
	case "predefinedLocation", "predefinedLocationContainer", "measurementSiteRecord":
		switch l := x.link; {
		case l == nil:
		case l.unnamed > 0:
			l.unnamed--
		default:
			x.link = l.outer
			given, err := l.give(x.d)
			if given && l.shape {
				x.shapes[l.ID] = len(x.d.Links) - 1
			}
			return err
		}
	}
	return nil
}

// inElement reports whether an element is open.
func (x *reader) inElement(name string) bool {
	for i := len(x.path) - 2; i >= 0; i-- {
		if x.path[i] == name {
			return true
		}
	}
	return false
}

func (x *reader) reference(id string) {
	switch {
	case id == "":
	case x.record != nil && len(x.record.links) < traffic.MaxPoints:
		x.record.links = append(x.record.links, id)
	case x.record != nil:
	case x.site != nil:
		x.site.id = id
	case x.link != nil && len(x.link.Parts) <= traffic.MaxPoints:
		x.link.Parts = append(x.link.Parts, id)
	}
}

// leaf takes the text of an element.
func (x *reader) leaf(name string, raw []byte) {
	switch name {
	case "publicationTime":
		if x.record == nil && x.site == nil {
			x.d.Taken = timeOf(raw)
		}
		return
	case "updateMethod":
		x.d.Delta = string(raw) != "snapshot" && string(raw) != "allElementUpdate"
		return
	case "codedExchangeProtocol":
		x.d.Delta = strings.HasPrefix(string(raw), "delta")
		return
	case "feedType":
		// The events of England's trunk roads come one by one.
		x.d.Delta = strings.HasPrefix(string(raw), "Event Data") && !strings.Contains(string(raw), "Full Refresh")
		return
	case "overallSeverity":
		x.situation.severity = string(raw)
		return
	}
	switch {
	case x.record != nil:
		x.recordLeaf(name, raw)
	case x.site != nil:
		x.site.leaf(x, name, raw)
	case x.link != nil:
		x.link.place.leaf(x, name, raw)
	}
}

// timeOf reads a time, which is of UTC where it has no offset; the zero time is not known.
func timeOf(raw []byte) time.Time { return lenient.Time(string(raw), "2006-01-02T15:04:05") }

// names are the elements that are known, each by itself, so that a name is looked up without
// memory of its own; leaves are those of them whose text is read.
var names, leaves = elements(
	`publicationTime updateMethod codedExchangeProtocol feedType overallSeverity severity
	openlrBinary openlrFunctionalRoadClass openlrLowestFRCToNextLRPoint openlrLowestFrcToNextLRPoint openlrFormOfWay openlrBearing
	openlrDistanceToNextLRPoint openlrPositiveOffset openlrNegativeOffset startTimeOfPeriod endTimeOfPeriod applicableDay applicableWeek applicableMonth
	situationRecordVersionTime validityStatus overallStartTime overallEndTime startOfPeriod endOfPeriod causeType
	numberOfLanesRestricted numberOfOperationalLanes roadOrCarriagewayOrLaneManagementType vehicleObstructionType value
	posList pos latitude longitude bearing tpegDirection directionBoundOnLinearSection roadNumber roadName speed duration
	dataError measurementTimeDefault cancel end tpegOtherPointDescriptorType alertCDirectionCoded specificLocation`,
	`d2LogicalModel payload messageContainer situation situationRecord siteMeasurements elaboratedData
	predefinedLocation predefinedLocationContainer measurementSiteRecord measurementSiteReference predefinedLocationReference
	recurringTimePeriodOfDay recurringDayWeekMonthPeriod basicData physicalQuantity locationForDisplay tpegLinearLocation from to
	travelTime averageVehicleSpeed lifeCycleManagement validPeriod generalPublicComment freeFlowTravelTime normallyExpectedTravelTime
	alertCLinear alertCPoint exceptionPeriod recurringSpecialDay
	openlrLocationReferencePoint openlrLastLocationReferencePoint openlrCoordinate openlrCoordinates`)

// elements returns the names of leaves and of what has others in it.
func elements(leaf, inner string) (names map[string]string, leaves map[string]bool) {
	names, leaves = map[string]string{}, map[string]bool{}
	for n := range strings.FieldsSeq(leaf) {
		names[n], leaves[n] = n, true
	}
	for n := range strings.FieldsSeq(inner) {
		names[n] = n
	}
	return names, leaves
}
