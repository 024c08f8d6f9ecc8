package hours

import (
	"math"
	"time"

	"github.com/waygate/waygate/geo"
)

// altitudes of the sun's centre at its events, in degrees: it rises and sets with
// its upper edge, refracted; dawn and dusk are civil.
var altitudes = [...]float64{sunrise: -0.833, sunset: -0.833, dawn: -6, dusk: -6}

// sunMinutes returns the minute of a day of local time at which an event of the sun
// is; ok is false where the sun does not come to it that day. Good to a minute or
// two outside of the polar circles (Meeus, Astronomical Algorithms, as abridged in
// https://aa.quae.nl/en/reken/zonpositie.html).
func sunMinutes(by event, at geo.Point, day time.Time) (minute int, ok bool) {
	const rad = math.Pi / 180
	const epoch = 946728000 // noon of 1 January 2000, UTC
	noon := time.Date(day.Year(), day.Month(), day.Day(), 12, 0, 0, 0, day.Location())
	west := -at.Lon * rad
	days := float64(noon.Unix()-epoch) / 86400
	cycle := math.Round(days - 0.0009 - west/(2*math.Pi))
	transit := func(angle float64) float64 { return 0.0009 + (angle+west)/(2*math.Pi) + cycle }
	about := transit(0)
	anomaly := (357.5291 + 0.98560028*about) * rad
	centre := (1.9148*math.Sin(anomaly) + 0.02*math.Sin(2*anomaly) + 0.0003*math.Sin(3*anomaly)) * rad
	longitude := anomaly + centre + 102.9372*rad + math.Pi
	declination := math.Asin(math.Sin(longitude) * math.Sin(23.4397*rad))
	corrected := func(t float64) float64 {
		return t + 0.0053*math.Sin(anomaly) - 0.0069*math.Sin(2*longitude)
	}
	cosine := (math.Sin(altitudes[by]*rad) - math.Sin(at.Lat*rad)*math.Sin(declination)) / (math.Cos(at.Lat*rad) * math.Cos(declination))
	if math.Abs(cosine) > 1 || math.IsNaN(cosine) {
		return 0, false
	}
	when := corrected(transit(math.Acos(cosine)))
	if by == sunrise || by == dawn {
		when = 2*corrected(about) - when
	}
	local := time.Unix(epoch+int64(math.Round(when*86400)), 0).In(day.Location())
	return local.Hour()*60 + local.Minute(), true
}

// easter returns the date of Easter Sunday of the Gregorian calendar (Meeus, Jones and
// Butcher).
func easter(year int) date {
	a, b, c := year%19, year/100, year%100
	h := (19*a + b - b/4 - (b-(b+8)/25+1)/3 + 15) % 30
	l := (32 + 2*(b%4) + 2*(c/4) - h - c%4) % 7
	m := (a + 11*h + 22*l) / 451
	return date{year: year, month: (h + l - 7*m + 114) / 31, day: (h+l-7*m+114)%31 + 1}
}
