package charging

import "strings"

// standards are the names of connectors in all formats, folded to letters and
// digits.
var standards = map[string]Standard{
	// OCPI
	"iec62196t1": Type1, "iec62196t1combo": CCS1, "iec62196t2": Type2, "iec62196t2combo": CCS2, "iec62196t3a": Type3, "iec62196t3c": Type3,
	"chademo": CHAdeMO, "gbtac": GBTAC, "gbtdc": GBTDC, "teslar": Tesla, "teslas": Tesla, "saej3400": NACS, "nacs": NACS, "mcs": MCS, "chaoji": Other,
	"domestica": Domestic, "domesticb": Domestic, "domesticc": Domestic, "domesticd": Domestic, "domestice": Domestic, "domesticf": Schuko, "domesticg": BS1363, "domestich": Domestic, "domestici": Domestic, "domesticj": Domestic, "domestick": Domestic, "domesticl": Domestic, "domesticm": Domestic, "domesticn": Domestic, "domestico": Domestic,
	"iec603092single16": CEEBlue, "iec603092three16": CEERed, "iec603092three32": CEERed, "iec603092three64": CEERed,
	"pantographbottomup": Other, "pantographtopdown": Other,
	// DATEX II beside these
	"iec60309x2single16": CEEBlue, "iec60309x2three16": CEERed, "iec60309x2three32": CEERed, "iec60309x2three64": CEERed, "cee5": CEERed, "teslasupercharger": Tesla, "domestictypef": Schuko,
	// OICP
	"type2outlet": Type2, "type2connectorcableattached": Type2, "type1connectorcableattached": Type1, "ccscombo2plugcableattached": CCS2, "ccscombo1plugcableattached": CCS1, "typefschuko": Schuko, "typejswissstandard": Domestic, "typeefrenchstandard": Domestic, "teslaconnector": Tesla, "iec60309singlephase": CEEBlue, "iec60309threephase": CEERed, "typegbritishstandard": BS1363, "avcon": Other, "cee5pin": CEERed, "cee3pin": CEEBlue,
	// the United Kingdom's register
	"3pintypegbs1363": BS1363, "3pintypeg": BS1363, "type2mennekesiec62196": Type2, "type2mennekes": Type2, "type2combined": CCS2, "type2combinediec62196dc": CCS2, "jevsg105chademo": CHAdeMO, "jevsg105chademodc": CHAdeMO, "type1saej1772iec62196": Type1, "type1j1772": Type1, "type3scame": Type3, "type2teslaiec62196dc": Tesla, "type2teslaiec62196": Tesla, "type2tesla": Tesla, "iec603094pin": CEEBlue, "ccs": CCS2,
	// Germany's
	"actyp2steckdose": Type2, "actyp2fahrzeugkupplung": Type2, "dcfahrzeugkupplungtypcombo2ccs": CCS2, "dcchademo": CHAdeMO, "acschuko": Schuko, "accee5polig": CEERed, "accee3polig": CEEBlue, "actyp1steckdose": Type1, "dcteslafahrzeugkupplungtyp2": Tesla, "dckupplungcombo": CCS2,
	// OSM, and what people write
	"type1": Type1, "type1cable": Type1, "type1combo": CCS1, "type2": Type2, "type2cable": Type2, "type2combo": CCS2, "type3": Type3, "type3a": Type3, "type3c": Type3, "ccs2": CCS2, "ccs1": CCS1, "schuko": Schuko, "bs1363": BS1363, "ceeblue": CEEBlue, "ceered16a": CEERed, "ceered32a": CEERed, "ceered63a": CEERed, "ceered": CEERed, "teslastandard": Tesla, "tesla": Tesla, "domestic": Domestic, "typee": Domestic, "sev1011t13": Domestic, "sev1011t15": Domestic, "sev1011t23": Domestic, "sev1011t25": Domestic, "teslasuperchargerccs": CCS2, "other": Other,
}

// Named returns the standard that a word of any format stands for; Other for a word
// that is not known.
func Named(word string) Standard {
	if s, ok := standards[folded(word)]; ok {
		return s
	}
	return Other
}

// IsStandard reports whether a word stands for a standard.
func IsStandard(word string) bool { _, ok := standards[folded(word)]; return ok }

// openChargeMap are its ids of kinds of connection.
var openChargeMap = map[int]Standard{
	1: Type1, 2: CHAdeMO, 3: BS1363, 4: CEEBlue, 5: Other, 6: Other, 8: Tesla, 10: Other, 11: Other, 13: Domestic, 16: CEEBlue, 17: CEERed, 18: CEERed, 23: Domestic, 25: Type2, 26: Type3, 27: Tesla, 28: Schuko, 29: Domestic,
	30: Tesla, 32: CCS1, 33: CCS2, 34: CEEBlue, 35: CEERed, 36: Type3, 1036: Type2, 1037: Domestic, 1038: GBTAC, 1039: GBTAC, 1040: GBTDC,
}

// states are the words of formats for the state of a point, folded. What says
// that there is no point any more, or not yet, is gone.
var states = map[string]Status{
	"available": Available, "free": Available, "inservice": "", "operational": "", "unknown": "", "": "", "evsenotfound": "", "offline": "",
	"charging": Occupied, "occupied": Occupied, "blocked": Occupied, "reserved": Occupied, "inuse": Occupied,
	"inoperative": OutOfOrder, "outoforder": OutOfOrder, "outofservice": OutOfOrder, "outofstock": OutOfOrder, "faulted": OutOfOrder, "unavailable": OutOfOrder, "notoperational": OutOfOrder,
	"planned": gone, "removed": gone, "decommissioned": gone,
}

const gone Status = "gone"

func statusOf(word string) Status { return states[folded(word)] }

func folded(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		}
		return -1
	}, s)
}
