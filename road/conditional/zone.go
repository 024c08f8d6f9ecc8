package conditional

import (
	"sync"
	"time"
	_ "time/tzdata" // so that zones are known on machines without the database
)

// zones are the time zones of countries that have one, by ISO 3166-1 code;
// those with several are left out.
var zones = map[string]string{
	"AD": "Europe/Andorra", "AE": "Asia/Dubai", "AL": "Europe/Tirane", "AM": "Asia/Yerevan", "AT": "Europe/Vienna", "AZ": "Asia/Baku",
	"BA": "Europe/Sarajevo", "BD": "Asia/Dhaka", "BE": "Europe/Brussels", "BG": "Europe/Sofia", "BH": "Asia/Bahrain", "BY": "Europe/Minsk",
	"CH": "Europe/Zurich", "CN": "Asia/Shanghai", "CO": "America/Bogota", "CR": "America/Costa_Rica", "CY": "Asia/Nicosia", "CZ": "Europe/Prague",
	"DE": "Europe/Berlin", "DZ": "Africa/Algiers", "EE": "Europe/Tallinn", "EG": "Africa/Cairo", "ET": "Africa/Addis_Ababa",
	"FI": "Europe/Helsinki", "FO": "Atlantic/Faroe", "GB": "Europe/London", "GE": "Asia/Tbilisi", "GG": "Europe/Guernsey", "GH": "Africa/Accra",
	"GI": "Europe/Gibraltar", "GR": "Europe/Athens", "HR": "Europe/Zagreb", "HU": "Europe/Budapest", "IE": "Europe/Dublin", "IL": "Asia/Jerusalem",
	"IM": "Europe/Isle_of_Man", "IN": "Asia/Kolkata", "IS": "Atlantic/Reykjavik", "IT": "Europe/Rome", "JE": "Europe/Jersey", "JO": "Asia/Amman",
	"JP": "Asia/Tokyo", "KE": "Africa/Nairobi", "KR": "Asia/Seoul", "KW": "Asia/Kuwait", "LB": "Asia/Beirut", "LI": "Europe/Vaduz",
	"LK": "Asia/Colombo", "LT": "Europe/Vilnius", "LU": "Europe/Luxembourg", "LV": "Europe/Riga", "MA": "Africa/Casablanca", "MC": "Europe/Monaco",
	"MD": "Europe/Chisinau", "ME": "Europe/Podgorica", "MK": "Europe/Skopje", "MT": "Europe/Malta", "NG": "Africa/Lagos", "NO": "Europe/Oslo",
	"NP": "Asia/Kathmandu", "OM": "Asia/Muscat", "PE": "America/Lima", "PH": "Asia/Manila", "PK": "Asia/Karachi", "PL": "Europe/Warsaw",
	"QA": "Asia/Qatar", "RO": "Europe/Bucharest", "RS": "Europe/Belgrade", "SA": "Asia/Riyadh", "SE": "Europe/Stockholm", "SG": "Asia/Singapore",
	"SI": "Europe/Ljubljana", "SK": "Europe/Bratislava", "SM": "Europe/San_Marino", "TH": "Asia/Bangkok", "TN": "Africa/Tunis", "TR": "Europe/Istanbul",
	"TW": "Asia/Taipei", "TZ": "Africa/Dar_es_Salaam", "UA": "Europe/Kyiv", "UG": "Africa/Kampala", "UY": "America/Montevideo", "VA": "Europe/Vatican",
	"VN": "Asia/Ho_Chi_Minh", "XK": "Europe/Belgrade", "ZA": "Africa/Johannesburg",
}

// loaded are the zones that were needed so far, *time.Location by country.
var loaded sync.Map

// Zone returns the time zone of a country, packed in two bytes as in the graph; ok is false
// if it is not known or the country has several.
func Zone(country uint16) (zone *time.Location, ok bool) {
	if known, ok := loaded.Load(country); ok {
		return known.(*time.Location), true
	}
	name, ok := zones[string([]byte{byte(country >> 8), byte(country)})]
	if !ok {
		return nil, false
	}
	zone, err := time.LoadLocation(name) // reads a file
	if err != nil {
		return nil, false
	}
	loaded.Store(country, zone)
	return zone, true
}
