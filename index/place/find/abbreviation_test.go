package find_test

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
)

// shortened are streets of cities by country, each with the ways that people there shorten it.
var shortened = map[string]string{
	"US Springfield": `
Martin Luther King Junior Boulevard|Martin Luther King Jr Blvd|MLK Jr. Blvd
North Michigan Avenue|N Michigan Ave|N. Michigan Av
Southwest 4th Avenue|SW 4th Ave|SW Fourth Av
West 42nd Street|W 42nd St|W. 42nd St.
Elm Circle|Elm Cir
Hickory Trail|Hickory Trl
Deer Crossing|Deer Xing
Ocean Parkway|Ocean Pkwy|Ocean Pky
Sunset Terrace|Sunset Ter|Sunset Terr.
Old Mill Highway|Old Mill Hwy
Lakeview Drive|Lakeview Dr|Lakeview Dr.
Mount Vernon Court|Mt Vernon Ct|Mt. Vernon Ct.
Saint Charles Place|St Charles Pl|St. Charles Pl.
Fort Hamilton Square|Ft Hamilton Sq
Pine Ridge Lane|Pine Rdg Ln
Broad Plaza|Broad Plz
Harbor Freeway|Harbor Fwy
Northeast Cedar Road|NE Cedar Rd`,
	"GB Ashford": `
Saint John's Road|St Johns Rd|St. John's Rd.
Wyndham Crescent|Wyndham Cres|Wyndham Cresc.
Kensington Gardens|Kensington Gdns|Kensington Gdns.
Upper Church Lane|Upr Church Ln|Up. Church La
Grosvenor Square|Grosvenor Sq
Great Portland Street|Gt Portland St|Gt. Portland St
Albert Terrace|Albert Terr|Albert Tce
Victoria Embankment|Victoria Emb|Victoria Embkmt
Chestnut Grove|Chestnut Gr|Chestnut Gro
Oxford Close|Oxford Cl
Mountbatten Drive|Mountbatten Dr
Riverside Industrial Estate|Riverside Ind Est|Riverside Ind. Est.
Station Approach|Station App|Station Appr.
Palace Court|Palace Ct
Queen's Parade|Queens Pde
Lower Thames Street|Lwr Thames St|Lr Thames St`,
	"DE Neustadt": `
Bahnhofstraße|Bahnhofstr.|Bahnhofstr|Bhfstr.
Berliner Straße|Berliner Str.|Berliner Str|Berl. Str.
Marktplatz|Marktpl.|Marktpl
Friedrich-Ebert-Allee|Friedrich-Ebert-All.|Fr.-Ebert-Allee
Sankt-Martin-Straße|St.-Martin-Str.|St. Martin Str
Doktor-Külz-Ring|Dr.-Külz-Ring|Dr. Külz Ring
Professor-Braun-Weg|Prof.-Braun-Weg
Große Ulrichstraße|Gr. Ulrichstr.|Gr Ulrichstr
Kleine Gasse|Kl. Gasse
Am Alten Friedhof|A. Alten Friedhof
Heinrich-Heine-Straße|H.-Heine-Str.|Heinr.-Heine-Str.
Johann-Sebastian-Bach-Straße|Joh.-Seb.-Bach-Str.|J.-S.-Bach-Str.
Schloßplatz|Schloßpl.
Untere Hauptstraße|Unt. Hauptstr.|U. Hauptstr.
Oberer Graben|Ob. Graben`,
	"FR Villeneuve": `
Boulevard Victor Hugo|Bd Victor Hugo|Bld V. Hugo|Boul. Victor Hugo
Avenue du Général Leclerc|Av du Gal Leclerc|Av. Gén. Leclerc|Ave du Gen Leclerc
Place de la République|Pl de la République|Pl. République
Rue Saint-Jacques|R. St-Jacques|R St Jacques
Chemin des Vignes|Ch. des Vignes|Che des Vignes|Chem. des Vignes
Allée des Tilleuls|All. des Tilleuls|Al. des Tilleuls
Impasse du Moulin|Imp. du Moulin|Imp du Moulin
Route de Lyon|Rte de Lyon
Faubourg Saint-Antoine|Fbg St-Antoine|Fg St Antoine
Square Sainte-Anne|Sq Ste-Anne
Quai des Chartrons|Q. des Chartrons
Passage du Commerce|Pass. du Commerce|Psge du Commerce
Rue du Docteur Roux|R. du Dr Roux|Rue Dr. Roux
Cours Maréchal Foch|Crs Mal Foch|Cours Mar. Foch
Résidence Les Pins|Rés. Les Pins`,
	"ES Villanueva": `
Calle Mayor|C/ Mayor|C. Mayor|Cl Mayor
Avenida de la Constitución|Avda. de la Constitución|Av. Constitución|Avda Constitución
Plaza de España|Pl. de España|Pza. España|Plz de España
Paseo de Gracia|P.º de Gracia|Po de Gracia|Pso. de Gracia
Carretera de Toledo|Ctra. de Toledo|Ctra Toledo
Calle Doctor Fleming|C/ Dr. Fleming|C Dr Fleming
Camino de los Molinos|Cno. de los Molinos|Cam. de los Molinos
Travesía del Sol|Trv. del Sol|Tr. del Sol
Calle Nuestra Señora del Carmen|C/ Ntra. Sra. del Carmen|C/ Nuestra Sra. del Carmen
Calle San Francisco|C/ S. Francisco|C/ S Francisco
Glorieta de Bilbao|Gta. de Bilbao
Urbanización Los Olivos|Urb. Los Olivos
Ronda de Atocha|Rda. de Atocha|Rda Atocha
Calle Santa Teresa|C/ Sta. Teresa|C/ Sta Teresa
Polígono Industrial Norte|Pol. Ind. Norte|P.I. Norte`,
	"IT Borgonuovo": `
Via Giuseppe Garibaldi|V. Garibaldi|Via G. Garibaldi|V. G. Garibaldi
Piazza della Repubblica|P.za della Repubblica|P.zza Repubblica|Pza della Repubblica
Viale dei Mille|V.le dei Mille|Vle dei Mille
Corso Vittorio Emanuele|C.so Vittorio Emanuele|Cso V. Emanuele
Largo San Giovanni|L.go S. Giovanni|Lgo San Giovanni
Strada Provinciale Vecchia|Str. Prov. Vecchia|Str. Provinciale Vecchia
Piazzale Santa Maria|P.le S. Maria|P.le Sta Maria
Vicolo Stretto|Vic. Stretto|V.lo Stretto
Via Fratelli Rosselli|Via F.lli Rosselli|V. F.lli Rosselli
Lungomare Colombo|L.mare Colombo|Lungom. Colombo
Contrada Serra|C.da Serra|Cda Serra
Via Santi Apostoli|Via SS. Apostoli|Via SS Apostoli
Borgo Sant'Angelo|B.go S. Angelo|Bgo Sant'Angelo
Salita del Castello|Sal. del Castello
Località Pianura|Loc. Pianura`,
	"NL Nieuwstad": `
Kerkstraat|Kerkstr.|Kerkstr
Burgemeester van Dijklaan|Burg. van Dijklaan|Burg. v. Dijkln
Koninginnegracht|Koninginnegr.|Kon. gracht
Professor Lorentzlaan|Prof. Lorentzlaan|Prof. Lorentzln.
Doctor Kuyperstraat|Dr. Kuyperstraat|Dr. Kuyperstr.
Sint Jansplein|St. Jansplein|St Jansplein|St. Jansplein
Wilhelminaplein|Wilhelminapln|Wilhelminapl.
Stationsweg|Stationsw.
Van der Waalsstraat|v.d. Waalsstraat|V.d. Waalsstr.
Oude Singel|O. Singel
Nieuwe Kade|Nwe Kade|Nieuwe Kd
Generaal Spoorlaan|Gen. Spoorlaan
Eerste Dwarsstraat|1e Dwarsstraat|1e Dwarsstr.
Prinses Beatrixdreef|Pr. Beatrixdreef|Prins. Beatrixdr.
Minister Talmalaan|Min. Talmalaan`,
	"SE Nystad": `
Kungsgatan|Kungsg.|Kungsg|Kungsgat.
Drottninggatan|Drottningg.|Drottningg
Sveavägen|Sveav.|Sveav
Norra Storgatan|N. Storgatan|N Storg.|Norra Storg
Södra Vägen|S. Vägen|S Vägen
Östra Hamngatan|Ö. Hamngatan|Ö Hamng.
Västra Järnvägsgatan|V. Järnvägsg.|V Järnvägsgatan
Sankt Eriksgatan|S:t Eriksgatan|St Eriksg.
Stora Torget|St. Torget|Stora T.
Gamla Stationsvägen|G:a Stationsv.|Gla Stationsvägen
Lilla Brogränd|L:a Brogränd|Lilla Brogr.
Götabergsgatan|Götabergsg.
Karl Johans Allé|K. Johans Allé|Karl Johans All.
Ringvägen|Ringv.
Skolgatan|Skolg.`,
	"FI Uusikylä": `
Mannerheimintie|Mannerheimint.|Mannerheimint
Hämeenkatu|Hämeenk.|Hämeenk|Hämeenkat.
Rautatienkatu|Rautatienk.|Rautatienk
Itäinen Pitkäkatu|It. Pitkäkatu|Itäinen Pitkäk.
Läntinen Rantatie|Länt. Rantatie|Länt. Rantat.
Koivukuja|Koivuk.|Koivukj.
Kauppatori|Kauppat.
Pyhän Laurin tie|P. Laurin tie
Aleksanterinkatu|Aleksanterink.|Aleks. katu
Urho Kekkosen katu|Urho Kekkosen k.|U. Kekkosen katu
Satamapolku|Satamap.
Vanha Maantie|V. Maantie|Vanha Maant.
Kirkkokatu|Kirkkok.
Isokaari|Isok.
Puistokatu|Puistok.`,
	"PL Nowe Miasto": `
ulica Marszałkowska|ul. Marszałkowska|ul Marszalkowska
aleja Jana Pawła II|al. Jana Pawła II|al. J. Pawła II|aleja JP II
plac Wolności|pl. Wolności|pl Wolnosci
osiedle Piastów|os. Piastów|os Piastow
ulica Księdza Jerzego Popiełuszki|ul. ks. Jerzego Popiełuszki|ul. Ks. J. Popiełuszki
ulica Generała Andersa|ul. gen. Andersa|ul. Gen. Andersa
ulica Świętego Ducha|ul. św. Ducha|ul. Św. Ducha
aleje Ujazdowskie|al. Ujazdowskie|Al. Ujazdowskie
ulica Doktora Korczaka|ul. dr. Korczaka|ul. dr Korczaka
ulica Tadeusza Kościuszki|ul. T. Kościuszki|ul. Kościuszki
rondo Dmowskiego|r. Dmowskiego|ron. Dmowskiego
ulica Marszałka Piłsudskiego|ul. Marsz. Piłsudskiego|ul. Piłsudskiego
ulica Wielka Odrzańska|ul. Wlk. Odrzańska|ul. W. Odrzańska
ulica Kardynała Wyszyńskiego|ul. Kard. Wyszyńskiego|ul. kard. Wyszynskiego
ulica Profesora Zolla|ul. prof. Zolla`,
	"CZ Nové Město": `
náměstí Míru|nám. Míru|nam. Miru|n. Míru
třída Tomáše Bati|tř. Tomáše Bati|tř. T. Bati
ulice Československé armády|ul. Čs. armády|ul. Čsl. armády
nábřeží Kapitána Jaroše|nábř. Kapitána Jaroše|nábř. kpt. Jaroše
sídliště Míru|sídl. Míru
Generála Svobody|Gen. Svobody|gen. Svobody
Svatého Jiří|Sv. Jiří|sv. Jiří
Doktora Edvarda Beneše|Dr. Edvarda Beneše|Dr. E. Beneše
Karla Čapka|K. Čapka
Boženy Němcové|B. Němcové|Bož. Němcové
Palackého náměstí|Palackého nám.|Palackeho nam
Velká Hradební|Vel. Hradební|V. Hradební
Masarykovo nábřeží|Masarykovo nábř.|Masarykovo nábř
Bratří Čapků|Bří Čapků|Br. Čapků
17. listopadu|17. list.`,
	"PT Vila Nova": `
Rua de São Bento|R. de S. Bento|R. São Bento|R S Bento
Avenida da Liberdade|Av. da Liberdade|Av Liberdade|Avª da Liberdade
Praça do Comércio|Pç. do Comércio|Pr. do Comércio|Pça do Comércio
Travessa do Carmo|Tv. do Carmo|Trav. do Carmo|T. do Carmo
Largo do Rato|Lg. do Rato|Lgo do Rato|L. do Rato
Estrada de Benfica|Estr. de Benfica|Est. de Benfica
Rua Doutor António Granjo|R. Dr. António Granjo|R Dr Antonio Granjo
Calçada da Ajuda|Cç. da Ajuda|Calç. da Ajuda
Rua Professor Egas Moniz|R. Prof. Egas Moniz
Rua Engenheiro Duarte Pacheco|R. Eng. Duarte Pacheco|R. Engº Duarte Pacheco
Alameda das Linhas|Al. das Linhas|Alam. das Linhas
Rua Nossa Senhora de Fátima|R. N. Sra. de Fátima|R. Nª Srª de Fátima
Beco do Forno|Bc. do Forno
Rua Santa Catarina|R. Sta. Catarina|R. Stª Catarina
Rotunda da Boavista|Rot. da Boavista`,
	"DK Nykøbing": `
Vesterbrogade|Vesterbrog.|Vesterbrogd.
Nørre Allé|Nr. Allé|N. Allé
Sankt Hans Torv|Skt. Hans Torv|Sct. Hans Torv
H.C. Andersens Boulevard|H.C. Andersens Blvd|HC Andersens Boul.
Store Kongensgade|St. Kongensgade|Store Kongensg.
Gammel Strandvej|Gl. Strandvej|Gl Strandv.
Østergade|Østerg.
Søndre Ringvej|Sdr. Ringvej|Sdr Ringv.
Lille Torvegade|Ll. Torvegade
Kongens Plads|Kongens Pl.`,
}

// TestAbbreviations asks for a house in each street as people shorten it. All streets are in one
// index; of each country 95 of 100 come first.
func TestAbbreviations(t *testing.T) {
	b := &build.Builder{}
	number, column := int64(0), 0
	add := func(e build.Entry, lon, lat float64, name string) {
		number++
		e.Number, e.At = number, geo.Point{Lon: lon, Lat: lat}.Fix()
		if name != "" {
			e.Names = []place.Name{{Text: name}}
		}
		if e.Kind == place.Street {
			e.Line = []geo.Fixed{e.At}
		}
		b.Add(&e)
	}
	for where, lines := range shortened {
		country, city, _ := strings.Cut(where, " ")
		column++
		add(build.Entry{Kind: place.Locality, Class: "town", Country: country}, float64(column), 50, city)
		for i, line := range strings.Split(strings.TrimSpace(lines), "\n") {
			street, _, _ := strings.Cut(line, "|")
			lat := 50 + float64(i)*0.002
			add(build.Entry{Kind: place.Street, Source: place.Way, Class: "residential", City: city, Country: country}, float64(column), lat, street)
			for n, house := range []string{"7", "9", "11"} {
				add(build.Entry{Kind: place.Address, House: house, Street: street, City: city, Country: country}, float64(column), lat+float64(n)*1e-4, "")
			}
		}
	}
	x := index(t, b)
	for where, lines := range shortened {
		country, city, _ := strings.Cut(where, " ")
		all, met := 0, 0
		for line := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
			forms := strings.Split(line, "|")
			for _, form := range forms[1:] {
				q := form + " 9, " + city
				if country == "US" || country == "GB" || country == "FR" {
					q = "9 " + form + ", " + city
				}
				hits, err := x.Search(t.Context(), &place.Query{Text: q, Limit: 3})
				if err != nil {
					t.Fatal(err)
				}
				all++
				if len(hits) > 0 && hits[0].Street == forms[0] && hits[0].House == "9" {
					met++
					continue
				}
				got := "nothing"
				if len(hits) > 0 {
					got = hits[0].Name
				}
				t.Logf("%s: %q finds %s, want %s", country, q, got, forms[0])
			}
		}
		t.Logf("%s: %d of %d", country, met, all)
		if met*100 < all*95 {
			t.Errorf("%s: %d of %d abbreviations find their street", country, met, all)
		}
	}
}
