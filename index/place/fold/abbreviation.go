package fold

import (
	"maps"
	"slices"
	"strings"
)

// Abbreviations give folded words the form that they have in the index, which
// is the shortest of those in use: Street, St and Saint are one word there.
var Abbreviations = expand(map[string]string{
	// English
	"st": "street saint sankt sint", "rd": "road", "av": "ave aven avenue avenida avinguda avda avd", "ln": "lane", "dr": "drive", "ct": "court", "cl": "close",
	"cr": "cres crescent", "sq": "square", "ter": "terrace terr tce", "gdns": "gardens gdn garden", "gr": "grove", "pk": "park", "mt": "mount", "hwy": "highway",
	"pkwy": "parkway", "blvd": "boulevard bvd bd boul bulevar bulevard bulwar", "pl": "place plaza placa plac platz pza plz praca piazza pzza", "hts": "heights",
	"ind": "industrial", "est": "estate", "stn": "station", "ctr": "centre center cntr", "bldg": "building", "br": "bridge", "cott": "cottage cotts cottages",
	"hse": "house", "fm": "farm", "ch": "church chemin", "upr": "upper", "lwr": "lower", "gt": "great", "lt": "little", "n": "north nth norra norre nordre nra ndr", "s": "south sth sodra sondre sdra sdr", "e": "east", "w": "west",
	"1st": "first eerste 1e 1ste", "2nd": "second tweede 2e 2de", "3rd": "third derde 3e 3de", "4th": "fourth vierde 4e 4de", "5th": "fifth", "6th": "sixth", "7th": "seventh", "8th": "eighth", "9th": "ninth", "10th": "tenth",
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
	"ul": "ulica ulice", "al": "aleja aleje", "os": "osiedle", "nam": "namesti namestie", "ул": "улица вулиця вул вуліца улиця", "пр": "проспект просп", "пл": "площадь площа плошча площад плоштад", "пер": "переулок провулок пров", "бул": "бульвар булевар булевард блвд", "наб": "набережная набережна",
	// Greek
	"λεωφ": "λεωφοροσ λεωφορου", "πλ": "πλατεια πλατειασ", "αγ": "αγιοσ αγιου αγια αγιασ αγιοι αγιων", "οδ": "οδοσ οδου",
	// Scripts of the East
	"רח": "רחוב", "שד": "שדרות", "ش": "شارع", "خ": "خيابان", "ქ": "ქუჩა", "გამზ": "გამზირი", "փ": "փողոց", "պող": "պողոտա", "ถ": "ถนน", "ซ": "ซอย",
	// Turkish
	"cad": "cadde caddesi cd", "sok": "sokak sokagi sk",
	// Maltese, Welsh
	"tr": "triq", "ff": "ffordd",
})

func expand(table map[string]string) map[string]string {
	all := map[string]string{}
	for short, long := range table {
		for w := range strings.FieldsSeq(long) {
			all[Umlauts(w)] = short
		}
	}
	return all
}

// LongWords are the words of abbreviations, sorted.
var LongWords = func() []Spelling {
	var all []Spelling
	for _, long := range slices.Sorted(maps.Keys(Abbreviations)) {
		all = append(all, SpellingOf(long))
	}
	return all
}()

// StreetKinds are the words that say what kind of street one is, in the form of the index.
var StreetKinds = kindWords(
	"street road avenue lane drive court close crescent square terrace gardens grove park highway parkway boulevard place way hill row walk view rise mews alley circle trail loop crossing",
	"strasse weg platz allee ring gasse damm ufer steig", "rue chemin impasse route quai allee passage cours", "calle carrer avenida plaza paseo camino carretera ronda passeig", "via viale corso piazza largo vicolo strada",
	"straat laan plein kade dreef gracht singel hof", "gatan vagen gata vag grand stig", "gate vei veien vej gade alle", "katu tie kuja polku", "ulica aleja plac osiedle ulice namesti trida utca ut ter", "rua travessa praca estrada", "triq",
	"улица проспект переулок площадь шоссе бульвар проезд", "caddesi sokak bulvari",
)

func kindWords(lists ...string) map[string]bool {
	set := map[string]bool{}
	for w := range WordSet(lists...) {
		set[Canonical(w)] = true
	}
	return set
}

// Suffixes are the ends of words that are abbreviated in the word.
var Suffixes = [...]struct{ Long, Short string }{{"strasse", "str"}, {"straat", "str"}, {"platz", "pl"}, {"gasse", "g"}, {"gatan", "g"}, {"gate", "g"}, {"laan", "ln"}, {"vagen", "v"}, {"veien", "v"}, {"katu", "k"}, {"kuja", "kj"}}

// LeastStem is how many bytes there must be before a suffix.
const LeastStem = 3

// Canonical gives a folded word the form that it has in the index.
func Canonical(w string) string {
	if short, ok := Abbreviations[w]; ok {
		return short
	}
	for _, s := range Suffixes {
		if stem, ok := strings.CutSuffix(w, s.Long); ok && len(stem) >= LeastStem {
			return stem + s.Short
		}
	}
	return w
}

// Skipped reports whether a word abbreviates another: it begins with the same letter, and its
// others stand in the other's in their order, as in "trl" for "trail".
func Skipped(short, long string) bool {
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
	DottedQuality  = 0.92 // with a full stop: "estr."
	SkippedQuality = 0.85
)

// Letters of words that may abbreviate others.
const (
	LongestSkipped = 4 // without a full stop
	LeastSkipped   = 2
	LeastBegun     = 4 // with a full stop, of a word that is only begun: "amberink."
)

// Completions returns what a word that is not yet written to its end may turn into:
// forms in the index that the word itself is no beginning of.
func Completions(w string) []string {
	var all []string
	if len(w) >= 2 {
		i, _ := slices.BinarySearchFunc(LongWords, w, func(a Spelling, w string) int { return strings.Compare(a.Text, w) })
		for ; i < len(LongWords) && strings.HasPrefix(LongWords[i].Text, w); i++ {
			if short := Abbreviations[LongWords[i].Text]; !strings.HasPrefix(short, w) {
				all = append(all, short)
			}
		}
	}
	for _, s := range Suffixes {
		for n := len(s.Short) + 1; n < len(s.Long); n++ {
			if stem, ok := strings.CutSuffix(w, s.Long[:n]); ok && len(stem) >= LeastStem {
				all = append(all, stem+s.Short)
			}
		}
	}
	return all
}

// Fillers are words that say little: a question may leave them out, and may
// have them where the place has none.
var Fillers = map[string]bool{
	"the": true, "of": true, "and": true, "at": true, "in": true, "on": true, "de": true, "la": true, "le": true, "les": true, "du": true, "des": true, "del": true, "el": true,
	"di": true, "da": true, "der": true, "die": true, "das": true, "am": true, "im": true, "an": true, "zu": true, "und": true, "y": true, "et": true, "e": true, "a": true, "d": true, "l": true,
	"ltd": true, "limited": true, "llc": true, "inc": true, "plc": true, "gmbh": true, "sarl": true, "srl": true, "bv": true, "pty": true, "corp": true, "co": true, "attn": true,
	"near": true, "flat": true, "apt": true, "unit": true, "no": true, "nr": true, "room": true, "floor": true,
	"дом": true, "д": true,
}
