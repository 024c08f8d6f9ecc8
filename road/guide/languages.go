package guide

import (
	"strings"

	"github.com/waygate/waygate/road/graph"
)

// officialIn lists by language the countries, by ISO 3166-1 alpha-2, where it is
// official in all of them or in a part: signs bear its names there.
var officialIn = map[string]string{
	"af": "ZA NA", "ar": "AE BH DJ DZ EG IQ JO KM KW LB LY MA MR OM PS QA SA SD SO SY TD TN YE", "be": "BY", "bg": "BG", "bn": "BD IN", "bs": "BA",
	"ca": "AD ES", "cs": "CZ", "cy": "GB", "da": "DK FO GL", "de": "DE AT CH LI LU BE IT", "el": "GR CY",
	"en": "GB IE US CA AU NZ ZA IN MT SG PH HK PK NG KE GH UG TZ ZM ZW BW NA LS SZ MW RW CM LR SL GM MU SC JM TT BB BS BZ GY AG DM GD KN LC VC " +
		"FJ PG SB VU TO WS KI NR TV PW FM MH GI IM JE GG BM KY VG TC AI MS FK SH PR GU VI AS MP CK NU NF PN SS",
	"es": "ES MX AR CO CL PE VE EC BO PY UY CR PA GT HN SV NI DO CU PR GQ", "et": "EE", "eu": "ES", "fa": "IR AF", "fi": "FI", "fo": "FO",
	"fr": "FR BE CH LU MC CA CD CG CI SN ML BF NE TG BJ GA GN TD CF CM DJ KM MG RW BI HT VU SC GQ IT RE GP MQ GF YT NC PF PM WF BL MF GG JE",
	"ga": "IE", "gd": "GB", "gl": "ES", "he": "IL", "hi": "IN", "hr": "HR BA", "hu": "HU", "hy": "AM", "id": "ID", "is": "IS", "it": "IT CH SM VA HR SI",
	"ja": "JP", "ka": "GE", "kk": "KZ", "kl": "GL", "km": "KH", "ko": "KR KP", "lb": "LU", "lo": "LA", "lt": "LT", "lv": "LV", "mi": "NZ", "mk": "MK",
	"mn": "MN", "ms": "MY BN SG", "mt": "MT", "my": "MM", "nb": "NO SJ", "ne": "NP", "nl": "NL BE SR AW CW SX BQ", "nn": "NO", "no": "NO SJ", "pl": "PL",
	"pt": "PT BR AO MZ CV GW ST TL MO GQ", "rm": "CH", "ro": "RO MD", "ru": "RU BY KZ KG", "se": "NO", "si": "LK", "sk": "SK", "sl": "SI IT AT",
	"sq": "AL XK MK", "sr": "RS BA ME XK", "sv": "SE FI AX", "ta": "IN LK SG", "th": "TH", "tr": "TR CY", "uk": "UA", "ur": "PK IN", "uz": "UZ",
	"vi": "VN", "zh": "CN TW HK MO SG",
}

// Official reports whether a language is official in a country, given as
// Graph.Country has it, so that road names in that language stand on signs there.
// Anywhere else the local name is what a traveller finds.
func Official(language string, country uint16) bool {
	return country != 0 && strings.Contains(officialIn[language], string([]byte{byte(country >> 8), byte(country)}))
}

// spoken reports whether a road is to be called by its name in the traveller's
// language: where that is official, or wherever there is one.
func (t *nameTable) spoken(s graph.Segment) bool {
	if t.o.Language == "" {
		return false
	}
	if t.o.Translated {
		return true
	}
	if n := t.g.Country[s]; n != t.country {
		t.country, t.countryOfficial = n, Official(t.o.Language, n)
	}
	return t.countryOfficial
}
