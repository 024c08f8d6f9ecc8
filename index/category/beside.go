package category

import "strings"

// Role is the meaning of words beside a kind of places.
type Role uint8

// The roles.
const (
	// Where words stand between a kind and a place: "in", "near".
	Where Role = iota + 1
	// Here words ask for places near the user: "near me", "nearest".
	Here
	// Open words ask for what is open at the moment.
	Open
	// Idle words say nothing that is looked for: "where is", "free".
	Idle
)

// Beside are the words that stand beside kinds of places, by what they say, in the languages of
// narration.
var Beside = map[Role][]string{
	Where: phrases(
		"in, at, near, by, close to, next to, around, near to, nearby, beside, within, inside, of, from, on, along, in the area of, in the centre of, in the vicinity of, near the, in the, at the, close by, in and around, not far from, opposite, outside, surrounding, nearest to, closest to, across from, within walking distance of, somewhere near, somewhere in, right by",
		"in, im, bei, beim, nahe, an, am, um, in der Nähe von, in der Nähe vom, in der Nähe der, in der Nähe des, nahe bei, rund um, neben, von, vom, zu, unweit von, unweit, in der Umgebung von, um herum, nah bei, im Umkreis von, in der Gegend von, in der Gegend um, gegenüber, gegenüber von, rund um den, in und um, nicht weit von, aus, in der Stadt, ums, am Rand von, im Raum",
		"à, a, au, aux, à la, à l', près de, près du, près des, près d', près de la, proche de, proche du, proche d', à côté de, à côté du, autour de, autour du, dans, en, vers, à proximité de, à proximité du, à proximité d', aux alentours de, aux environs de, de, du, des, d', sur, de la, dans le centre de, non loin de, aux abords de, en face de, à deux pas de, dans les environs de, du côté de, par, tout près de, pas loin de, dans le secteur de, sur la commune de",
		"en, en el, en la, cerca de, cerca del, cerca de la, junto a, al lado de, alrededor de, próximo a, próxima a, próximos a, cercano a, cercana a, por, de, del, de la, a, al, en los alrededores de, en las inmediaciones de, en torno a, cerca a, por la zona de, en la zona de, frente a, dentro de, en las cercanías de, no lejos de, cerca de la ciudad de, por los alrededores de",
		"a, ad, al, alla, in, nel, nella, vicino a, vicino ad, vicino al, vicino alla, vicino all', presso, nei pressi di, nei dintorni di, nelle vicinanze di, attorno a, intorno a, di, del, della, da, dal, accanto a, in zona, zona, in centro a, in prossimità di, di fronte a, nella zona di, dalle parti di, a due passi da, non lontano da, dentro, verso, attorno",
		"in, bij, nabij, te, naast, rond, rondom, in de buurt van, dichtbij, dicht bij, vlakbij, vlak bij, van, op, aan, in de omgeving van, in het centrum van, nabij het, in de nabijheid van, tegenover, niet ver van, om en nabij, rondom, in de regio, bij de, in de stad",
		"w, we, przy, koło, obok, blisko, niedaleko, w pobliżu, pod, na, nad, w okolicy, w okolicach, niedaleko od, blisko od, do, z, wokół, dookoła, naprzeciwko, nieopodal, w sąsiedztwie, w centrum, w rejonie, w mieście, tuż przy, niedaleko miasta",
		"em, no, na, nos, nas, perto de, perto do, perto da, próximo a, próximo de, próximo do, próximo da, junto a, junto ao, ao lado de, ao pé de, ao redor de, à volta de, nos arredores de, nas proximidades de, de, do, da, a, ao, em torno de, na zona de, na região de, em frente a, nas imediações de, dentro de, não longe de, próximo ao, perto da cidade de",
		"i, på, vid, nära, intill, runt, kring, i närheten av, nära till, bredvid, omkring, hos, i trakten av, mittemot, i centrala, inte långt från, i området, utanför, i och omkring",
		"yn, ym, yng, ger, wrth, ger llaw, gerllaw, agos at, agos i, yn agos at, yn agos i, yn ymyl, o gwmpas, mewn, ar, o, i",
	),
	Here: phrases(
		"near me, nearby, around me, around here, near here, close by, close to me, close to here, closest, closest to me, nearest, nearest to me, next, in my area, nearest to here, near by, closest one, here",
		"in der Nähe, in meiner Nähe, in der Umgebung, hier, in der Nähe von mir, nächste, nächster, nächstes, nächsten, nächstgelegene, nächstgelegener, nächstgelegenes, nächstgelegenen, hier in der Nähe, um mich herum, in der Nähe von hier, bei mir, bei mir in der Nähe, nahegelegene, die nächste, der nächste, das nächste",
		"près de moi, près d'ici, à proximité, autour de moi, le plus proche, la plus proche, les plus proches, plus proche, plus proches, aux alentours, dans le coin, proche, à côté, près, proche de moi, à côté de moi, aux environs, par ici, ici",
		"cerca de mí, cerca de aquí, cerca, más cercano, más cercana, más cercanos, más cercanas, más cerca, el más cercano, la más cercana, los más cercanos, las más cercanas, más próximo, más próxima, aquí cerca, por aquí, cercano, cercana, cercanos, cercanas, próximo, próxima, a mi alrededor, alrededor, en los alrededores, aquí, próxima a mí",
		"vicino a me, vicino, vicina, vicini, vicine, più vicino, più vicina, più vicini, più vicine, nelle vicinanze, qui vicino, nei dintorni, in zona, intorno a me, nei paraggi, la più vicina, il più vicino, le più vicine, i più vicini, vicino a qui, da queste parti, qui",
		"in de buurt, dichtbij, dichtstbijzijnde, dichtstbijzijnd, bij mij in de buurt, in mijn buurt, vlakbij, hier in de buurt, nabij, bij mij, om me heen, in de omgeving, dichtst bij, dicht bij, hier",
		"w pobliżu, najbliższy, najbliższa, najbliższe, blisko mnie, koło mnie, blisko, niedaleko, w okolicy, niedaleko mnie, obok mnie, najbliżej, najbliższej, najbliższego, w pobliżu mnie, tutaj, tu",
		"perto de mim, perto, aqui perto, mais próximo, mais próxima, mais próximos, mais próximas, mais perto, perto daqui, nas proximidades, próximo, próxima, próximos, próximas, próximo a mim, por perto, próximo de mim, ao redor, nas redondezas, o mais próximo, a mais próxima, aqui",
		"nära mig, i närheten, närmaste, närmsta, här i närheten, nära, i närheten av mig, runt mig, här, närliggande, nära här",
		"yn agos, gerllaw, agosaf, ger fi, yn fy ymyl, wrth ymyl, yn agos ataf, yma, gerllaw i mi, agos",
	),
	Open: phrases(
		"open now, open, now open, open today, currently open, opened now, that are open, that is open, open late, which are open",
		"jetzt geöffnet, geöffnet, offen, jetzt offen, gerade geöffnet, aktuell geöffnet, offene, geöffnete, die jetzt offen ist, jetzt geöffnete, heute geöffnet",
		"ouvert maintenant, ouverte maintenant, ouverts maintenant, ouvertes maintenant, ouvert, ouverte, ouverts, ouvertes, actuellement ouvert, actuellement ouverte, ouvert actuellement, ouverte actuellement, ouvert en ce moment, ouverte en ce moment, de garde",
		"abierto ahora, abierta ahora, abiertos ahora, abiertas ahora, abierto, abierta, abiertos, abiertas, ahora abierto, abierto en este momento, que esté abierto, que esté abierta",
		"aperto ora, aperta ora, aperti ora, aperte ora, aperto adesso, aperta adesso, aperti adesso, aperte adesso, aperto, aperta, aperti, aperte, ora aperto, aperto oggi",
		"nu open, open, nu geopend, geopend, open nu, momenteel open, nu nog open, die nu open is",
		"otwarte teraz, otwarta teraz, otwarty teraz, teraz otwarte, teraz otwarta, teraz otwarty, otwarte, otwarta, otwarty, czynne teraz, czynna teraz, czynny teraz, czynne, czynna, czynny, teraz czynne",
		"aberto agora, aberta agora, abertos agora, abertas agora, aberto, aberta, abertos, abertas, agora aberto, aberto neste momento, aberta neste momento",
		"öppet nu, öppen nu, öppna nu, öppet, öppen, öppna, som är öppet nu, har öppet nu",
		"ar agor nawr, ar agor, ar agor rŵan, ar agor ar hyn o bryd, yn agored, agored",
	),
	Idle: phrases(
		"where is the, where is, where's the, where are the, where can i find, where can i, find, find me, show me, show, i need, i need a, looking for, search, search for, free, cheap, cheapest, good, best, any, some, a, an, the, list of, all, please, where, public, what",
		"wo kann man, wo kann man hier, wo ist, wo ist die, wo ist der, wo ist das, wo sind, wo kann ich, wo gibt es, wo finde ich, suche, finde, zeige, zeig mir, kostenlos, kostenlose, kostenloser, kostenfreie, gratis, günstige, billige, gute, beste, der, die, das, ein, eine, einen, den, dem, zum, zur, alle, wo, öffentlich, öffentliche, öffentlicher",
		"où peut-on, où est le, où est la, où est, où sont les, où se trouve, où trouver, où puis-je, trouver, cherche, je cherche, gratuit, gratuite, gratuits, gratuites, pas cher, le, la, les, l', un, une, des, bon, meilleur, public, publique, où",
		"dónde se puede, dónde está, dónde está el, dónde está la, dónde hay, donde hay, dónde puedo, buscar, busco, encontrar, gratis, gratuito, gratuita, gratuitos, barato, barata, el, la, los, las, un, una, unos, unas, mejor, mejores, público, pública, dónde",
		"dov'è, dove si trova, dove trovo, dove posso, cerca, cerco, trova, gratis, gratuito, gratuita, gratuiti, economico, il, lo, la, i, gli, le, l', un, una, uno, migliore, migliori, pubblico, pubblica, dove",
		"waar kun je, waar is de, waar is het, waar is een, waar is, waar zijn, waar kan ik, waar vind ik, zoek, vind, gratis, goedkoop, goedkope, de, het, een, beste, alle, openbaar, openbare, waar",
		"gdzie jest, gdzie są, gdzie znajdę, gdzie mogę, szukam, znajdź, pokaż, darmowy, darmowa, darmowe, bezpłatny, bezpłatna, bezpłatne, tani, tania, tanie, najlepszy, najlepsza, publiczny, publiczna, gdzie",
		"onde fica, onde fica o, onde fica a, onde está, onde há, onde encontrar, onde posso, procurar, encontrar, grátis, gratuito, gratuita, barato, barata, o, a, os, as, um, uma, melhor, melhores, público, pública, onde",
		"var är, var finns, var ligger, var kan jag, hitta, sök, visa, gratis, billig, billiga, en, ett, den, det, bästa, alla, offentlig, offentliga, var, visa mig",
		"ble mae, ble mae'r, ble, chwilio am, dod o hyd i, y, yr, am ddim, rhad, gorau, cyhoeddus, lle mae",
	),
}

func phrases(lists ...string) []string {
	var all []string
	for _, list := range lists {
		for p := range strings.SplitSeq(list, ",") {
			all = append(all, strings.TrimSpace(p))
		}
	}
	return all
}
