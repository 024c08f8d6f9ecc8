// Names of the widest lakes and of seas with a place in each: Natural Earth's lakes in the npm
// packages have none. English, German, French and Spanish names; the local one comes first where
// it is another.

const ROWS = `
lake|-87.5,47.6|Lake Superior|Oberer See|Lac Supérieur|Lago Superior
lake|-87,43.5|Lake Michigan|Michigansee|Lac Michigan|Lago Míchigan
lake|-82.4,44.8|Lake Huron|Huronsee|Lac Huron|Lago Hurón
lake|-81.2,42.2|Lake Erie|Eriesee|Lac Érié|Lago Erie
lake|-77.8,43.6|Lake Ontario|Ontariosee|Lac Ontario|Lago Ontario
lake|-97.8,52.4|Lake Winnipeg|Winnipegsee|Lac Winnipeg|Lago Winnipeg
lake|-120.8,66|Great Bear Lake|Großer Bärensee|Grand lac de l’Ours|Gran Lago del Oso
lake|-114,61.7|Great Slave Lake|Großer Sklavensee|Grand lac des Esclaves|Gran Lago del Esclavo
lake|-109.5,59.2|Lake Athabasca|Athabascasee|Lac Athabasca|Lago Athabasca
lake|-102.3,57.3|Reindeer Lake|Reindeer Lake|Lac Reindeer|Lago Reindeer
lake|-112.5,41.1|Great Salt Lake|Großer Salzsee|Grand Lac Salé|Gran Lago Salado
lake|-85.4,11.5|Lake Nicaragua|Nicaraguasee|Lac Nicaragua|Lago de Nicaragua|Lago Cocibolca
lake|-69.4,-15.8|Lake Titicaca|Titicacasee|Lac Titicaca|Lago Titicaca|Lago Titicaca
lake|51,42|Caspian Sea|Kaspisches Meer|Mer Caspienne|Mar Caspio
lake|31.5,60.9|Lake Ladoga|Ladogasee|Lac Ladoga|Lago Ládoga|Ладожское озеро
lake|35.5,61.7|Lake Onega|Onegasee|Lac Onega|Lago Onega|Онежское озеро
lake|13.3,58.9|Vänern|Vänersee|Vänern|Lago Vänern|Vänern
lake|14.5,58.3|Vättern|Vättersee|Vättern|Lago Vättern|Vättern
lake|27.5,58.8|Lake Peipus|Peipussee|Lac Peïpous|Lago Peipus|Peipsi
lake|28.3,61.2|Lake Saimaa|Saimaa|Lac Saimaa|Lago Saimaa|Saimaa
lake|17.7,46.85|Lake Balaton|Plattensee|Lac Balaton|Lago Balaton|Balaton
lake|9.4,47.6|Lake Constance|Bodensee|Lac de Constance|Lago de Constanza|Bodensee
lake|6.5,46.4|Lake Geneva|Genfersee|Lac Léman|Lago Lemán|Lac Léman
lake|108,53.6|Lake Baikal|Baikalsee|Lac Baïkal|Lago Baikal|Байкал
lake|74.5,46.3|Lake Balkhash|Balchaschsee|Lac Balkhach|Lago Baljash|Балқаш
lake|77.3,42.4|Issyk-Kul|Yssykköl|Yssyk Koul|Issyk-Kul|Ысык-Көл
lake|59,45|Aral Sea|Aralsee|Mer d’Aral|Mar de Aral
lake|43,38.6|Lake Van|Vansee|Lac de Van|Lago Van|Van Gölü
lake|45.4,37.6|Lake Urmia|Urmiasee|Lac d’Ourmia|Lago Urmía
lake|100.2,36.9|Qinghai Lake|Qinghai-See|Lac Qinghai|Lago Qinghai|青海湖
lake|104.1,12.8|Tonlé Sap|Tonle Sap|Tonlé Sap|Tonlé Sap
lake|98.8,2.6|Lake Toba|Tobasee|Lac Toba|Lago Toba|Danau Toba
lake|33,-1|Lake Victoria|Viktoriasee|Lac Victoria|Lago Victoria
lake|29.6,-6|Lake Tanganyika|Tanganjikasee|Lac Tanganyika|Lago Tanganica
lake|34.5,-12|Lake Malawi|Malawisee|Lac Malawi|Lago Malaui
lake|36.1,3.6|Lake Turkana|Turkana-See|Lac Turkana|Lago Turkana
lake|30.9,1.7|Lake Albert|Albertsee|Lac Albert|Lago Alberto
lake|29.7,-9|Lake Mweru|Mwerusee|Lac Moero|Lago Mweru
lake|37.3,12|Lake Tana|Tanasee|Lac Tana|Lago Tana
lake|14.2,13.1|Lake Chad|Tschadsee|Lac Tchad|Lago Chad
lake|0,7.3|Lake Volta|Voltasee|Lac Volta|Lago Volta
lake|32.5,23|Lake Nasser|Nassersee|Lac Nasser|Lago Nasser
ocean|-40,30|North Atlantic Ocean|Nordatlantik|Océan Atlantique nord|Océano Atlántico Norte
ocean|-15,-25|South Atlantic Ocean|Südatlantik|Océan Atlantique sud|Océano Atlántico Sur
ocean|-155,30|North Pacific Ocean|Nordpazifik|Océan Pacifique nord|Océano Pacífico Norte
ocean|-120,-25|South Pacific Ocean|Südpazifik|Océan Pacifique sud|Océano Pacífico Sur
ocean|78,-20|Indian Ocean|Indischer Ozean|Océan Indien|Océano Índico
ocean|0,82|Arctic Ocean|Arktischer Ozean|Océan Arctique|Océano Ártico
ocean|60,-60|Southern Ocean|Südlicher Ozean|Océan Austral|Océano Antártico
sea|18,34.5|Mediterranean Sea|Mittelmeer|Mer Méditerranée|Mar Mediterráneo
sea|3.5,56.5|North Sea|Nordsee|Mer du Nord|Mar del Norte
sea|19.5,57.5|Baltic Sea|Ostsee|Mer Baltique|Mar Báltico
sea|34,43.3|Black Sea|Schwarzes Meer|Mer Noire|Mar Negro
sea|38,20.5|Red Sea|Rotes Meer|Mer Rouge|Mar Rojo
sea|64,16|Arabian Sea|Arabisches Meer|Mer d’Arabie|Mar Arábigo
sea|88,14|Bay of Bengal|Golf von Bengalen|Golfe du Bengale|Golfo de Bengala
sea|114,14|South China Sea|Südchinesisches Meer|Mer de Chine méridionale|Mar de la China Meridional
sea|134.5,40|Sea of Japan|Japanisches Meer|Mer du Japon|Mar del Japón
sea|157,-38|Tasman Sea|Tasmansee|Mer de Tasman|Mar de Tasmania
sea|-90,25|Gulf of Mexico|Golf von Mexiko|Golfe du Mexique|Golfo de México
sea|-75,15|Caribbean Sea|Karibisches Meer|Mer des Caraïbes|Mar Caribe
sea|-86,60|Hudson Bay|Hudson Bay|Baie d’Hudson|Bahía de Hudson
sea|2,68|Norwegian Sea|Europäisches Nordmeer|Mer de Norvège|Mar de Noruega
sea|-178,58|Bering Sea|Beringmeer|Mer de Béring|Mar de Bering
sea|-5,46|Bay of Biscay|Golf von Biskaya|Golfe de Gascogne|Golfo de Vizcaya
`;

/** Kind, place and names of waters. */
export const WATERS = ROWS.trim()
  .split("\n")
  .map((row) => {
    const [kind, at, en, de, fr, es, local = en] = row.split("|");
    const names = { name: local };
    for (const [tag, name] of Object.entries({ en, de, fr, es })) if (name !== local) names[`name:${tag}`] = name;
    return { kind, at: at.split(",").map(Number), names };
  });
