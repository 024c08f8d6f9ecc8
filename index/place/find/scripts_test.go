package find_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
	"github.com/waygate/waygate/index/place/find"
)

// written are towns with streets as they are there, each with transcriptions in use: of national
// systems, ISO 9, BGN/PCGN, ELOT 743, and of what people type without one.
var written = []struct {
	language, country, town, latin string
	streets                        string // by line: the name there; transcriptions
}{
	{"Greek", "GR", "Θεσσαλονίκη", "Thessaloniki", `
		Λεωφόρος Βασιλίσσης Όλγας; Leoforos Vasilissis Olgas; Vasilisis Olgas; Leof. Basilissis Olgas; Vasilissis Olgas Avenue
		Ερμού; Ermou; Ermoy
		Οδός Αγίου Δημητρίου; Odos Agiou Dimitriou; Agiou Dimitriou; Ag. Dimitriou; Agiou Dhimitriou; Aghiou Dimitriou Street
		Τσιμισκή; Tsimiski; Tsimiskí; Tsimiskh
		Εγνατία; Egnatia; Egnatía; Eghnatia
		Μητροπόλεως; Mitropoleos; Mētropoleōs; Mhtropolews
		Αριστοτέλους; Aristotelous; Aristoteloys; Aristotélous
		Μπότσαρη; Botsari; Mpotsari
		Καρόλου Ντηλ; Karolou Dil; Karolou Ntil
		Γρηγορίου Λαμπράκη; Grigoriou Lampraki; Grigoriou Lambraki; Grhgoriou Lampraki
		Παύλου Μελά; Pavlou Mela; Paulou Mela
		Εθνικής Αμύνης; Ethnikis Amynis; Ethnikis Aminis; Ethnikhs Amynhs
		Κωνσταντίνου Καραμανλή; Konstantinou Karamanli; Constantinou Karamanli; Kwnstantinou Karamanlh
		Ξενοφώντος; Xenofontos; Ksenofontos; Xenophontos; Ksenofwntos
		Ψαρών; Psaron; Psarwn
		Ανθέων; Antheon; Anthewn`},
	{"Russian", "RU", "Екатеринбург", "Yekaterinburg", `
		улица Малышева; ulitsa Malysheva; ul. Malysheva; ulica Malyševa; Malyshewa
		проспект Ленина; prospekt Lenina; Lenina prospekt; pr. Lenina; Lenina Avenue
		Хохрякова; Khokhryakova; Hohryakova; Hohrjakova; Xoxryakova; Chochrjakowa
		улица Шейнкмана; ulitsa Sheynkmana; Šejnkmana; Sheinkmana street
		улица Щорса; ulitsa Shchorsa; Ščorsa; Schorsa; Shhorsa
		Сибирский тракт; Sibirskiy trakt; Sibirskij trakt; Sibirsky trakt; Sibirskii trakt
		улица 8 Марта; ulitsa 8 Marta; 8 Marta
		Верх-Исетский бульвар; Verkh-Isetskiy bulvar; Verh-Isetskij bulvar; Verkh-Isetsky Boulevard
		улица Юлиуса Фучика; Yuliusa Fuchika; Juliusa Fučika; Iuliusa Fuchika
		улица Чапаева; ulitsa Chapayeva; Čapaeva; Chapaeva; Tschapajewa
		Объездная улица; Obyezdnaya ulitsa; Ob'ezdnaya; Obezdnaja
		улица Хрущёва; Khrushcheva; Khrushchyova; Hruscheva; Hruŝeva
		Цвиллинга; Tsvillinga; Cvillinga; Zvillinga
		Жуковского; Zhukovskogo; Žukovskogo; Jukovskogo; Zhukovskovo
		площадь 1905 года; ploshchad 1905 goda; pl. 1905 goda`},
	{"Ukrainian", "UA", "Чернівці", "Chernivtsi", `
		вулиця Ольги Кобилянської; vulytsia Olhy Kobylianskoi; Olgi Kobylyanskoyi; vul. Olhy Kobyljanskoï
		вулиця Шевченка; vulytsia Shevchenka; vul. Ševčenka; Shevchenka St
		проспект Незалежності; prospekt Nezalezhnosti; Nezaležnosti; Nezalezhnosti ave
		вулиця Героїв Майдану; Heroiv Maidanu; Geroyiv Maydanu; Herojiv Majdanu
		Руська; Ruska; Rus'ka; Rusjka
		вулиця Юрія Федьковича; Yuriia Fedkovycha; Yuriya Fedkovicha; Jurija Fedkovyča
		Грушевського; Hrushevskoho; Grushevskogo; Hruševs'koho
		Заньковецької; Zankovetskoi; Zan'kovets'koyi; Zankovetskoyi`},
	{"Bulgarian", "BG", "Пловдив", "Plovdiv", `
		бул. Цар Борис III Обединител; bul. Tsar Boris III Obedinitel; Car Boris III Obedinitel
		улица Ъгъл; ulitsa Agal; Ugul
		Княз Александър; Knyaz Aleksandar; Kniaz Alexander; Knjaz Aleksandar; Knyaz Aleksandur
		Отец Паисий; Otets Paisiy; Otec Paisii; Otets Paisij
		Съборна; Saborna; Suborna; Sŭborna
		Хъшовете; Hashovete; Khushovete; Hushovete
		Щипка; Shtipka; Ŝipka
		Дунав; Dunav`},
	{"Serbian", "RS", "Крагујевац", "Kragujevac", `
		Краља Милана; Kralja Milana; Kralya Milana
		Џорџа Вашингтона; Džordža Vašingtona; Dzordza Vasingtona; Dzhordzha Vashingtona
		Ђуре Пуцара; Đure Pucara; Djure Pucara; Dure Pucara
		Његошева; Njegoševa; Njegoseva; Nyegosheva
		Чегарска; Čegarska; Cegarska
		Ћирила и Методија; Ćirila i Metodija; Cirila i Metodija
		Булевар краљице Марије; Bulevar kraljice Marije; Bul. kraljice Marije
		Жикице Јовановића; Žikice Jovanovića; Zikice Jovanovica`},
	{"Macedonian", "MK", "Куманово", "Kumanovo", `
		Гоце Делчев; Goce Delčev; Gotse Delchev
		Ѓорче Петров; Ǵorče Petrov; Gjorche Petrov; Gorce Petrov
		Кеј Димитар Влахов; Kej Dimitar Vlahov; Key Dimitar Vlahov
		Ќемал Сејфула; Ḱemal Sejfula; Kjemal Sejfula; Kemal Seyfula
		Јане Сандански; Jane Sandanski; Yane Sandanski`},
	{"Georgian", "GE", "ქუთაისი", "Kutaisi", `
		რუსთაველის გამზირი; Rustavelis Gamziri; Rustavelis gamz.; Rustavelis Avenue
		ვაჟა-ფშაველას ქუჩა; Vazha-Pshavelas Kucha; Važa-Pšavelas k'ucha; Vaja Pshavelas Street
		ჭავჭავაძის ქუჩა; Chavchavadzis kucha; Ch'avch'avadzis; Čavčavaʒis; Chavchavadzis St
		წერეთლის ქუჩა; Tseretlis Kucha; Ts'eretlis; Ceretlis
		აღმაშენებლის გამზირი; Aghmasheneblis Gamziri; Agmasheneblis
		ყაზბეგის ქუჩა; Qazbegis Kucha; Kazbegis; Q'azbegis
		ჯავახიშვილის ქუჩა; Javakhishvilis; Djavakhishvilis; Javaxishvilis; Dzhavakhishvilis
		ღოღობერიძის; Ghoghoberidzis; Gogoberidzis
		თამარ მეფის; Tamar Mepis; T'amar Mep'is; Tamar Mefis
		ძმები ჟვანიების; Dzmebi Zhvaniebis; Dzmebi Žvaniebis
		პეკინის; Pekinis; P'ekinis
		ფალიაშვილის; Paliashvilis; Phaliashvilis; Faliashvilis
		ხიზანიშვილის; Khizanishvilis; Xizanishvilis; Hizanishvilis`},
	{"Armenian", "AM", "Գյումրի", "Gyumri", `
		Աբովյան փողոց; Abovyan poghots; Abovian St; Abovyan street
		Հանրապետության փողոց; Hanrapetutyan poghots; Hanrapetutʻyan; Hanrapetutian
		Տիգրան Մեծի պողոտա; Tigran Metsi poghota; Tigran Meci; Tigran Metsi Avenue
		Մաշտոցի պողոտա; Mashtotsi poghota; Mashtoci; Maštoc'i
		Խաչատրյան; Khachatryan; Xač'atryan; Khachatrian
		Չարենցի; Charentsi; Charenci
		Ռիժկովի; Rizhkovi; Ryzhkovi`},
	{"Arabic", "EG", "المنصورة", "Al Mansurah", `
		شارع الجمهورية; Sharia al-Gomhoreya; al-Jumhuriyya; El Gomhouria St; Shari' al-Jumhūrīyah
		شارع عبد السلام عارف; Abd al-Salam Aref; Abdel Salam Aref; Abd es Salam Arif
		شارع بورسعيد; Bur Said; Borsaid Street; Bur Sa'id
		شارع الثورة; Sharia al-Thawra; El Thawra; ath-Thawrah; El Sawra
		شارع جيهان; Gehan; Jihan St; Jeehan
		شارع قناة السويس; Qanat as-Suways; Kanat el Sewes; Qanat al-Suwais Street
		شارع محمد فريد; Muhammad Farid; Mohamed Fareed; Mohammed Farid
		شارع طلعت حرب; Talaat Harb; Tal'at Harb; Talat Harb
		شارع الخليفة المأمون; al-Khalifa al-Mamun; El Khalifa El Maamoun; Khalifah al-Ma'mun
		شارع أحمد عرابي; Ahmed Orabi; Ahmad Urabi; Ahmad 'Urabi
		شارع صلاح سالم; Salah Salem; Salah Salim; Ṣalāḥ Sālim
		شارع الهرم; Al Haram; El Haram; al-Ahram
		شارع شجرة الدر; Shagaret El Dor; Shajarat al-Durr; Shagarat ad-Durr`},
	{"Persian", "IR", "شیراز", "Shiraz", `
		خیابان کریم خان زند; Khiaban-e Karim Khan Zand; Karimkhan Zand; Karim Khan-e Zand Street
		بلوار چمران; Bolvar-e Chamran; Chamran Boulevard; Chamrān
		خیابان حافظ; Hafez; Khiyaban-e Hafez; Ḥāfeẓ; Hafiz
		خیابان ملاصدرا; Mollasadra; Molla Sadra; Mulla Sadra
		خیابان لطفعلی خان; Lotf Ali Khan; Lotfali Khan; Lotfali Khān
		بلوار ارم; Bolvar Eram; Eram Blvd; Iram
		خیابان عفیف آباد; Afif Abad; Afifabad; Khiaban Afif-abad
		خیابان قدوسی; Ghodousi; Qoddusi; Ghodoosi`},
	{"Hebrew", "IL", "חיפה", "Haifa", `
		רחוב הרצל; Rehov Herzl; Herzl St; Hertzel; Rechov Herzl
		שדרות הנשיא; Sderot HaNassi; Hanasi; Sderot ha-Nasi
		דרך יפו; Derech Yafo; Derekh Yafo; Yafo Road
		רחוב אלנבי; Allenby; Rehov Alenbi; Allenby Street
		רחוב ז'בוטינסקי; Zhabotinsky; Jabotinsky; Zabotinski
		רחוב ביאליק; Bialik; Byalik; Rehov Bialik
		רחוב שטיין; Stein; Shtein; Shteyn
		רחוב מוריה; Moriah; Moria; Moriya
		רחוב בן יהודה; Ben Yehuda; Ben-Yehudah; Rehov Ben Yehuda
		רחוב צהל; Tsahal; Zahal; Tzahal`},
	{"Hindi", "IN", "जयपुर", "Jaipur", `
		महात्मा गांधी मार्ग; Mahatma Gandhi Marg; Mahatama Gandhi Marg
		अशोक मार्ग; Ashok Marg; Ashoka Marg
		सरदार पटेल मार्ग; Sardar Patel Marg
		नेहरू बाज़ार; Nehru Bazar; Nehru Bazaar
		चांदपोल; Chandpol; Chaandpol
		लक्ष्मी नगर; Lakshmi Nagar; Laxmi Nagar
		भवानी सिंह रोड; Bhawani Singh Road; Bhavani Singh Rod
		झोटवाड़ा; Jhotwara; Jhotvada`},
	{"Thai", "TH", "เชียงใหม่", "Chiang Mai", `
		ถนนท่าแพ; Thanon Tha Phae; Tha Phae Road; Thapae Road
		ถนนนิมมานเหมินท์; Thanon Nimmanhaemin; Nimmanhemin Road
		ถนนช้างคลาน; Thanon Chang Khlan; Chang Klan Road
		ถนนราชดำเนิน; Ratchadamnoen Road; Thanon Ratchadamnoen
		ถนนสุเทพ; Suthep Road; Thanon Suthep
		ถนนมูลเมือง; Mun Mueang Road; Moon Muang; Thanon Mun Mueang
		ถนนพระปกเกล้า; Phra Pok Klao Road; Phrapokklao
		ซอยวัดอุโมงค์; Soi Wat Umong; Soi Wat U-Mong`},
	{"Korean", "KR", "수원시", "Suwon", `
		정조로; Jeongjo-ro; Jungjo-ro; Chongjo-ro
		팔달로; Paldal-ro; Paldallo
		효원로; Hyowon-ro; Hyowonro
		매산로; Maesan-ro; Maesanro
		권광로; Gwongwang-ro; Kwongwang-ro
		세지로; Seji-ro; Sejiro
		창룡대로; Changnyong-daero; Changryong-daero`},
}

type street struct {
	name  string
	latin []string
}

func streetsOf(lines string) (list []street) {
	for line := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
		parts := strings.Split(line, ";")
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		list = append(list, street{parts[0], parts[1:]})
	}
	return list
}

// otherTown draws a town with houses 1 to 9 in each of its streets, which run side by side.
func otherTown(tb testing.TB, country, town string, names []string) (*find.Index, func(street, house int) geo.Point) {
	tb.Helper()
	g := ground{geo.Point{Lon: 20, Lat: 40}}
	b := &build.Builder{Country: func(geo.Point) string { return country }}
	at := func(street, house int) geo.Point { return g.at(100*float64(house), 200*float64(street)) }
	b.Add(&build.Entry{Kind: place.Locality, Number: 1, At: g.at(0, -300).Fix(), Class: "city", Population: 100_000, Names: []place.Name{{Text: town}}})
	for i, name := range names {
		b.Add(&build.Entry{Kind: place.Street, Source: place.Way, Number: int64(i + 1), At: at(i, 1).Fix(), Line: []geo.Fixed{at(i, 1).Fix(), at(i, 9).Fix()}, Class: "residential", Names: []place.Name{{Text: name}}})
		for house := 1; house < 10; house++ {
			b.Add(&build.Entry{Kind: place.Address, Number: int64(100*i + house + 10), At: at(i, house).Fix(), House: fmt.Sprint(house), Street: name, City: town})
		}
	}
	return index(tb, b), at
}

// share sends each question and checks that at least so many of a hundred find first what is
// at their place.
func share(t *testing.T, x *find.Index, ask map[string]geo.Point, least int) {
	t.Helper()
	good := 0
	for q, at := range ask {
		hits, err := x.Search(t.Context(), &place.Query{Text: q, Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(hits) > 0 && geo.Distance(hits[0].At, at) < 25 {
			good++
			continue
		}
		t.Logf("%q finds %v", q, hits)
	}
	if 100*good < least*len(ask) {
		t.Errorf("%d of %d are found first, want %d %%", good, len(ask), least)
	} else {
		t.Logf("%d of %d", good, len(ask))
	}
}

// TestTranscriptions asks for the streets of towns in other scripts in Latin letters.
func TestTranscriptions(t *testing.T) {
	for _, c := range written {
		t.Run(c.language, func(t *testing.T) {
			list := streetsOf(c.streets)
			var names []string
			for _, s := range list {
				names = append(names, s.name)
			}
			x, at := otherTown(t, c.country, c.town, names)
			ask := map[string]geo.Point{}
			for i, s := range list {
				for k, latin := range s.latin {
					house := (i+k)%9 + 1
					ask[fmt.Sprintf("%s %d, %s", latin, house, c.latin)] = at(i, house)
					ask[fmt.Sprintf("%d %s", house, latin)] = at(i, house)
				}
			}
			share(t, x, ask, 95)
		})
	}
}

// TestTranscribed asks for streets in Latin letters in other scripts.
func TestTranscribed(t *testing.T) {
	for _, c := range written {
		t.Run(c.language, func(t *testing.T) {
			list := streetsOf(c.streets)
			var names []string
			for _, s := range list {
				names = append(names, s.latin[0])
			}
			x, at := otherTown(t, c.country, c.latin, names)
			ask := map[string]geo.Point{}
			for i, s := range list {
				ask[fmt.Sprintf("%s %d, %s", s.name, i%9+1, c.town)] = at(i, i%9+1)
			}
			share(t, x, ask, 90)
		})
	}
}

// TestArabicArticles asks in Arabic for towns whose Latin names have the article, beside others
// whose names are alike without it.
func TestArabicArticles(t *testing.T) {
	g := ground{geo.Point{Lon: 20, Lat: 30}}
	b := &build.Builder{}
	names := []string{"Jeddah", "El Jadida", "Aden", "Al Ain", "Irbid", "El Obeid", "Al Qasr al Kabir"}
	for i, name := range names {
		b.Add(&build.Entry{Kind: place.Locality, Number: int64(i + 1), At: g.at(20_000*float64(i), 0).Fix(), Class: "town", Population: 20_000, Names: []place.Name{{Text: name}}})
	}
	x := index(t, b)
	for q, want := range map[string]string{"جدة": "Jeddah", "الجديدة": "El Jadida", "جديدة": "El Jadida", "عدن": "Aden", "العين": "Al Ain", "إربد": "Irbid", "الأبيض": "El Obeid", "القصر الكبير": "Al Qasr al Kabir"} {
		if hits, err := x.Search(t.Context(), &place.Query{Text: q, Limit: 1}); err != nil || len(hits) == 0 || hits[0].Name != want {
			t.Errorf("%q finds %v, %v, want %s", q, hits, err, want)
		}
	}
}
