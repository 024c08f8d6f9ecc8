package place

import "strings"

// abbreviations give folded words the form that they have in the index, which
// is the shortest of those in use: Street, St and Saint are one word there.
var abbreviations = expand(map[string]string{
	// English
	"st": "street saint sankt sint", "rd": "road", "av": "ave aven avenue avenida avinguda avda avd", "ln": "lane", "dr": "drive", "ct": "court", "cl": "close",
	"cr": "cres crescent", "sq": "square", "ter": "terrace terr tce", "gdns": "gardens gdn garden", "gr": "grove", "pk": "park", "mt": "mount", "hwy": "highway",
	"pkwy": "parkway", "blvd": "boulevard bvd bd boul bulevar bulevard bulwar", "pl": "place plaza placa plac platz pza plz praca piazza pzza", "hts": "heights",
	"ind": "industrial", "est": "estate", "stn": "station", "ctr": "centre center cntr", "bldg": "building", "br": "bridge", "cott": "cottage cotts cottages",
	"hse": "house", "fm": "farm", "ch": "church chemin", "upr": "upper", "lwr": "lower", "gt": "great", "lt": "little", "n": "north nth", "s": "south sth", "e": "east", "w": "west",
	"1st": "first", "2nd": "second", "3rd": "third", "4th": "fourth", "5th": "fifth", "6th": "sixth", "7th": "seventh", "8th": "eighth", "9th": "ninth", "10th": "tenth",
	"nw": "northwest", "ne": "northeast", "sw": "southwest", "se": "southeast",
	"aly": "alley ally", "arc": "arcade", "bldgs": "buildings", "byp": "bypass", "cir": "circle circ", "ctyd": "courtyard", "crk": "creek", "cswy": "causeway", "cv": "cove", "esp": "esplanade", "expy": "expressway expwy",
	"fld": "field", "flds": "fields", "frst": "forest", "ft": "fort", "fwy": "freeway", "gln": "glen", "grn": "green", "hbr": "harbor harbour", "hl": "hill", "hls": "hills", "holw": "hollow", "jct": "junction junc", "lk": "lake", "ldg": "lodge",
	"mans": "mansions", "mdw": "meadow", "mdws": "meadows", "mkt": "market", "mtn": "mountain", "orch": "orchard", "pde": "parade", "psge": "passage", "pt": "point", "rdg": "ridge", "spg": "spring", "spgs": "springs",
	"trl": "trail", "tpke": "turnpike tpk", "vlg": "village", "vly": "valley", "vs": "villas", "vw": "view", "whf": "wharf", "wy": "way", "xing": "crossing",
	// German, Dutch and the North; what is written in one word is in suffixes
	"str": "strasse straat stra", "bhf": "bahnhof", "hbf": "hauptbahnhof",
	// French
	"all": "allee alle", "imp": "impasse", "rte": "route", "fbg": "faubourg", "ste": "sainte", "bg": "bourg",
	// Spanish, Catalan, Portuguese
	"c": "calle carrer", "ctra": "carretera", "ps": "paseo passeig pg pso", "sta": "santa", "sto": "santo", "tv": "travessa travesia trav", "urb": "urbanizacion urbanitzacio",
	// Italian
	"cso": "corso", "vle": "viale", "lgo": "largo",
	// Slavic
	"ul": "ulica ulice", "al": "aleja aleje", "os": "osiedle", "nam": "namesti namestie", "ул": "улица", "пр": "проспект просп", "пл": "площадь", "пер": "переулок",
	// Turkish
	"cad": "cadde caddesi cd", "sok": "sokak sokagi sk",
	// Maltese, Welsh
	"tr": "triq", "ff": "ffordd",
})

func expand(table map[string]string) map[string]string {
	all := map[string]string{}
	for short, long := range table {
		for w := range strings.FieldsSeq(long) {
			all[umlauts(w)] = short
		}
	}
	return all
}

// suffixes are the ends of words that are abbreviated in the word.
var suffixes = [...]struct{ long, short string }{{"strasse", "str"}, {"straat", "str"}, {"platz", "pl"}, {"gasse", "g"}, {"gatan", "g"}, {"gate", "g"}, {"laan", "ln"}, {"vagen", "v"}, {"veien", "v"}}

// leastStem is how many bytes there must be before a suffix.
const leastStem = 3

func canonical(w string) string {
	if short, ok := abbreviations[w]; ok {
		return short
	}
	for _, s := range suffixes {
		if stem, ok := strings.CutSuffix(w, s.long); ok && len(stem) >= leastStem {
			return stem + s.short
		}
	}
	return w
}

// skipped reports whether a word abbreviates another: it begins with the same letter, and its
// others stand in the other's in their order, as in "trl" for "trail".
func skipped(short, long string) bool {
	if short == "" || len(short) >= len(long) || short[0] != long[0] {
		return false
	}
	at := 0
	for i := 0; i < len(long) && at < len(short); i++ {
		if long[i] == short[at] {
			at++
		}
	}
	return at == len(short)
}

// Qualities of words that no table has the abbreviation of.
const (
	dottedQuality  = 0.92 // with a full stop: "estr."
	skippedQuality = 0.85
)

// Letters of words that may abbreviate others.
const (
	longestSkipped = 4 // without a full stop
	leastSkipped   = 2
	leastBegun     = 4 // with a full stop, of a word that is only begun: "amberink."
)

// begun gives what a word that is not yet written to its end may turn into:
// forms in the index that the word itself is no beginning of.
func begun(w string) []string {
	var all []string
	for long, short := range abbreviations {
		if strings.HasPrefix(long, w) && !strings.HasPrefix(short, w) && len(w) >= 2 {
			all = append(all, short)
		}
	}
	for _, s := range suffixes {
		for n := len(s.short) + 1; n < len(s.long); n++ {
			if stem, ok := strings.CutSuffix(w, s.long[:n]); ok && len(stem) >= leastStem {
				all = append(all, stem+s.short)
			}
		}
	}
	return all
}

// fillers are words that say little: a question may leave them out, and may
// have them where the place has none.
var fillers = map[string]bool{
	"the": true, "of": true, "and": true, "at": true, "in": true, "on": true, "de": true, "la": true, "le": true, "les": true, "du": true, "des": true, "del": true, "el": true,
	"di": true, "da": true, "der": true, "die": true, "das": true, "am": true, "im": true, "an": true, "zu": true, "und": true, "y": true, "et": true, "e": true, "a": true, "d": true, "l": true,
	"near": true, "flat": true, "apt": true, "unit": true, "no": true, "nr": true, "room": true, "floor": true,
	"дом": true, "д": true,
}
