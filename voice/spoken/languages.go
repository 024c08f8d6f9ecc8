package spoken

import "strings"

// oneOther returns the plural of most languages.
func oneOther(whole string, decimals bool) int {
	switch {
	case decimals:
		return 3
	case whole == "1":
		return 0
	}
	return 1
}

// belowTwo returns the plural of French and Brazilian: 1.5 is one still.
func belowTwo(whole string, decimals bool) int {
	if decimals && (whole == "0" || whole == "1") {
		return 0
	}
	return oneOther(whole, decimals)
}

// polish has a form for 2 to 4, but not for 12 to 14.
func polish(whole string, decimals bool) int {
	last := whole[len(whole)-1]
	switch {
	case decimals, whole == "1":
		return oneOther(whole, decimals)
	case last >= '2' && last <= '4' && !strings.HasSuffix(whole[:len(whole)-1], "1"):
		return 2
	}
	return 1
}

// units makes the table of a language, in the order of its symbols.
func units(list ...forms) map[string]forms {
	out := map[string]forms{}
	for i, name := range []string{"m", "km", "mi", "ft", "yd", "km/h", "mph", "kg", "t", "min", "h", "%"} {
		out[name] = list[i]
	}
	out["kph"] = out["km/h"]
	return out
}

const (
	englishShort = "St=Street Rd=Road Ave=Avenue Av=Avenue Ln=Lane Dr=Drive Blvd=Boulevard Hwy=Highway Pkwy=Parkway Sq=Square Ct=Court Pl=Place Cl=Close " +
		"Cres=Crescent Gdns=Gardens Gdn=Garden Gr=Grove Pk=Park Tce=Terrace Ter=Terrace Stn=Station Jct=Junction Rdbt=Roundabout Rbt=Roundabout Mt=Mount Ft=Fort Nr=near Jn=Junction Bldg=Building Br=Bridge Expy=Expressway"
)

var englishBefore = []ending{{"St", "Saint"}, {"Dr", "Doctor"}, {"Mt", "Mount"}, {"Ft", "Fort"}, {"Rev", "Reverend"}, {"Mr", "Mister"}}

func english(metre, kilometre, tonne string) words {
	return words{
		Point: "point", And: "and", Digits: true, Plural: oneOther, Short: englishShort, Before: englishBefore,
		Units: units(forms{metre, metre + "s"}, forms{kilometre, kilometre + "s"}, forms{"mile", "miles"}, forms{"foot", "feet"}, forms{"yard", "yards"},
			forms{kilometre + " an hour", kilometre + "s an hour"}, forms{"mile an hour", "miles an hour"}, forms{"kilogram", "kilograms"}, forms{tonne, tonne + "s"},
			forms{"minute", "minutes"}, forms{"hour", "hours"}, forms{"per cent", "per cent"}),
	}
}

func portuguese(kilo string, plural func(string, bool) int) words {
	return words{
		Point: "vírgula", And: "e", Comma: true, Plural: plural,
		Short: "R=Rua Av=Avenida Avda=Avenida Pç=Praça Pça=Praça Tv=Travessa Trav=Travessa Estr=Estrada Rod=Rodovia Al=Alameda Lg=Largo Dr=Doutor Dra=Doutora Sta=Santa Sto=Santo Eng=Engenheiro Prof=Professor Gen=General Cap=Capitão Cel=Coronel",
		Units: units(forms{"metro", "metros"}, forms{kilo + "metro", kilo + "metros"}, forms{"milha", "milhas"}, forms{"pé", "pés"}, forms{"jarda", "jardas"},
			forms{kilo + "metro por hora", kilo + "metros por hora"}, forms{"milha por hora", "milhas por hora"}, forms{"quilograma", "quilogramas"}, forms{"tonelada", "toneladas"},
			forms{"minuto", "minutos"}, forms{"hora", "horas"}, forms{"por cento", "por cento"}),
	}
}

// speakers are the languages of the narration, by the tag in small letters or the language alone.
var speakers = map[string]*Speaker{
	"en":    newSpeaker(english("metre", "kilometre", "tonne")),
	"en-us": newSpeaker(english("meter", "kilometer", "ton")),
	"de": newSpeaker(words{
		Point: "Komma", And: "und", Comma: true, Plural: oneOther,
		Short:   "Str=Straße St=Sankt Dr=Doktor Prof=Professor Pl=Platz Bhf=Bahnhof Hbf=Hauptbahnhof Bf=Bahnhof Nr=Nummer Ing=Ingenieur",
		Before:  []ending{{"St", "Sankt"}, {"Dr", "Doktor"}, {"Bhf", "Bahnhof"}, {"Hbf", "Hauptbahnhof"}},
		Endings: []ending{{"str.", "straße"}, {"pl.", "platz"}},
		Roads:   []ending{{"St", "Staatsstraße"}}, // of Bavaria
		Units: units(forms{"Meter"}.same(), forms{"Kilometer"}.same(), forms{"Meile", "Meilen"}, forms{"Fuß"}.same(), forms{"Yard", "Yards"},
			forms{"Kilometer pro Stunde"}.same(), forms{"Meile pro Stunde", "Meilen pro Stunde"}, forms{"Kilogramm"}.same(), forms{"Tonne", "Tonnen"},
			forms{"Minute", "Minuten"}, forms{"Stunde", "Stunden"}, forms{"Prozent"}.same()),
	}),
	"fr": newSpeaker(words{
		Point: "virgule", And: "et", Comma: true, Plural: belowTwo,
		Short:  "Av=Avenue Bd=Boulevard Bld=Boulevard Blvd=Boulevard Rte=Route Pl=Place Fg=Faubourg Imp=Impasse Ch=Chemin All=Allée Sq=Square Dr=Docteur Gal=Général Mal=Maréchal Pdt=Président St=Saint Ste=Sainte",
		Before: []ending{{"St", "Saint"}, {"Ste", "Sainte"}, {"Av", "Avenue"}, {"Bd", "Boulevard"}, {"Rte", "Route"}, {"Pl", "Place"}, {"Dr", "Docteur"}, {"Mme", "Madame"}},
		Units: units(forms{"mètre", "mètres"}, forms{"kilomètre", "kilomètres"}, forms{"mile", "miles"}, forms{"pied", "pieds"}, forms{"yard", "yards"},
			forms{"kilomètre heure", "kilomètres heure"}, forms{"mile par heure", "miles par heure"}, forms{"kilogramme", "kilogrammes"}, forms{"tonne", "tonnes"},
			forms{"minute", "minutes"}, forms{"heure", "heures"}, forms{"pour cent"}.same()),
	}),
	"es": newSpeaker(words{
		Point: "coma", And: "y", Comma: true, Plural: oneOther,
		Short:  "C=Calle Av=Avenida Avda=Avenida Pza=Plaza Pl=Plaza Pº=Paseo P.º=Paseo Ctra=Carretera Sta=Santa Sto=Santo Dr=Doctor Dra=Doctora Gral=General Pje=Pasaje Urb=Urbanización",
		Before: []ending{{"Av", "Avenida"}, {"Avda", "Avenida"}, {"Pza", "Plaza"}, {"Pº", "Paseo"}, {"Ctra", "Carretera"}, {"Sta", "Santa"}, {"Sto", "Santo"}, {"Dr", "Doctor"}},
		Units: units(forms{"metro", "metros"}, forms{"kilómetro", "kilómetros"}, forms{"milla", "millas"}, forms{"pie", "pies"}, forms{"yarda", "yardas"},
			forms{"kilómetro por hora", "kilómetros por hora"}, forms{"milla por hora", "millas por hora"}, forms{"kilogramo", "kilogramos"}, forms{"tonelada", "toneladas"},
			forms{"minuto", "minutos"}, forms{"hora", "horas"}, forms{"por ciento"}.same()),
	}),
	"it": newSpeaker(words{
		Point: "virgola", And: "e", Comma: true, Plural: oneOther,
		Short:  "V.le=Viale Vle=Viale P.za=Piazza P.zza=Piazza Pza=Piazza Pzza=Piazza C.so=Corso L.go=Largo Str=Strada Dr=Dottor Prof=Professor Ing=Ingegner Gen=Generale",
		Before: []ending{{"Vle", "Viale"}, {"Pza", "Piazza"}, {"Dr", "Dottor"}},
		Units: units(forms{"metro", "metri"}, forms{"chilometro", "chilometri"}, forms{"miglio", "miglia"}, forms{"piede", "piedi"}, forms{"iarda", "iarde"},
			forms{"chilometro all'ora", "chilometri all'ora"}, forms{"miglio all'ora", "miglia all'ora"}, forms{"chilogrammo", "chilogrammi"}, forms{"tonnellata", "tonnellate"},
			forms{"minuto", "minuti"}, forms{"ora", "ore"}, forms{"per cento"}.same()),
	}),
	"pt":    newSpeaker(portuguese("quiló", oneOther)),
	"pt-br": newSpeaker(portuguese("quilô", belowTwo)),
	"nl": newSpeaker(words{
		Point: "komma", And: "en", Comma: true, Plural: oneOther,
		Short:   "Str=Straat St=Sint Dr=Dokter Prof=Professor Burg=Burgemeester Pr=Prins Kon=Koningin Mr=Meester Ds=Dominee Stn=Station Ir=Ingenieur Gen=Generaal",
		Before:  []ending{{"St", "Sint"}, {"Dr", "Dokter"}, {"Burg", "Burgemeester"}},
		Endings: []ending{{"str.", "straat"}, {"ln.", "laan"}, {"pln.", "plein"}},
		Units: units(forms{"meter"}.same(), forms{"kilometer"}.same(), forms{"mijl"}.same(), forms{"voet"}.same(), forms{"yard", "yards"},
			forms{"kilometer per uur"}.same(), forms{"mijl per uur"}.same(), forms{"kilo"}.same(), forms{"ton"}.same(),
			forms{"minuut", "minuten"}, forms{"uur"}.same(), forms{"procent"}.same()),
	}),
	"pl": newSpeaker(words{
		Point: "przecinek", And: "i", Comma: true, Plural: polish,
		Short: "ul=ulica al=aleja pl=plac os=osiedle św=świętego gen=generała ks=księdza dr=doktora prof=profesora płk=pułkownika mjr=majora kpt=kapitana bp=biskupa abp=arcybiskupa im=imienia",
		Units: units(forms{"metr", "metrów", "metry", "metra"}, forms{"kilometr", "kilometrów", "kilometry", "kilometra"}, forms{"mila", "mil", "mile", "mili"}, forms{"stopa", "stóp", "stopy", "stopy"}, forms{"jard", "jardów", "jardy", "jarda"},
			forms{"kilometr na godzinę", "kilometrów na godzinę", "kilometry na godzinę", "kilometra na godzinę"}, forms{"mila na godzinę", "mil na godzinę", "mile na godzinę", "mili na godzinę"}, forms{"kilogram", "kilogramów", "kilogramy", "kilograma"}, forms{"tona", "ton", "tony", "tony"},
			forms{"minuta", "minut", "minuty", "minuty"}, forms{"godzina", "godzin", "godziny", "godziny"}, forms{"procent", "procent", "procent", "procent"}),
	}),
	"sv": newSpeaker(words{
		Point: "komma", And: "och", Comma: true, Plural: oneOther,
		Short:   "S:t=Sankt S:ta=Sankta S:a=Södra N:a=Norra Rv=Riksväg Lv=Länsväg Dr=Doktor Prof=Professor St=Sankt V:a=Västra Ö:a=Östra",
		Before:  []ending{{"S:t", "Sankt"}, {"S:ta", "Sankta"}, {"S:a", "Södra"}, {"N:a", "Norra"}, {"V:a", "Västra"}, {"Ö:a", "Östra"}, {"St", "Sankt"}},
		Endings: []ending{{"g.", "gatan"}, {"v.", "vägen"}},
		Units: units(forms{"meter"}.same(), forms{"kilometer"}.same(), forms{"engelsk mil", "engelska mil"}, forms{"fot"}.same(), forms{"yard"}.same(),
			forms{"kilometer i timmen"}.same(), forms{"engelsk mil i timmen", "engelska mil i timmen"}, forms{"kilo"}.same(), forms{"ton"}.same(),
			forms{"minut", "minuter"}, forms{"timme", "timmar"}, forms{"procent"}.same()),
	}),
	// Names on the map of Wales are English as often as Welsh, with English abbreviations.
	"cy": newSpeaker(words{
		Point: "pwynt", And: "a", Digits: true, Plural: oneOther, Short: englishShort, Before: englishBefore,
		Units: units(forms{"metr"}.same(), forms{"cilometr"}.same(), forms{"filltir", "milltir"}, forms{"troedfedd"}.same(), forms{"llath"}.same(),
			forms{"cilometr yr awr"}.same(), forms{"filltir yr awr", "milltir yr awr"}, forms{"cilogram"}.same(), forms{"tunnell"}.same(),
			forms{"munud"}.same(), forms{"awr"}.same(), forms{"y cant"}.same()),
	}),
}

// same returns a noun with one form.
func (f forms) same() forms { return forms{f[0], f[0]} }
