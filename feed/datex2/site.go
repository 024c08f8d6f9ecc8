package datex2

import (
	"strconv"
	"time"

	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/road/link"
)

// site has the measurements at one place: the speeds of its lanes and kinds of
// vehicles, or the time of travel along it.
type site struct {
	id      string
	at      time.Time
	sum     float64 // of speeds
	count   int
	seconds float64

	speed, duration float64 // of the value being read
	wrong           bool    // it says itself that it is wrong
}

func (m *site) begin() { m.speed, m.duration, m.wrong = 0, 0, false }

func (m *site) end() {
	if m.wrong {
		return
	}
	if m.speed > 0 && m.speed <= traffic.MaxKmh {
		m.sum, m.count = m.sum+m.speed, m.count+1
	}
	if m.duration > 0 {
		m.seconds = m.duration
	}
}

func (m *site) leaf(x *reader, name string, raw []byte) {
	switch name {
	case "speed":
		if !x.inElement("averageVehicleSpeed") {
			return
		}
		m.speed, _ = strconv.ParseFloat(string(raw), 64)
	case "duration":
		if x.inElement("travelTime") { // others are of free and of usual flow, and of headways
			m.duration, _ = strconv.ParseFloat(string(raw), 64)
		}
	case "dataError":
		m.wrong = m.wrong || string(raw) == "true"
	case "measurementTimeDefault":
		m.at = timeOf(raw)
	}
}

// add puts what was measured into a document. Values are of the site's link; a site without a
// speed adds nothing here.
func (m *site) add(d *traffic.Document) error {
	switch {
	case m.id == "":
		d.Reject(traffic.NoPlace)
		return nil
	case m.count == 0 && m.seconds == 0:
		d.Reject("a measurement without a usable speed or time of travel")
		return nil
	}
	r := traffic.Record{ID: "site " + m.id, Place: link.Place{Links: []string{m.id}}, At: m.at, Seconds: m.seconds}
	if m.count > 0 {
		r.Kmh = m.sum / float64(m.count)
	}
	return d.Add(&r)
}
