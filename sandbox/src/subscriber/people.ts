// From which names and places are made-up subscribers put together? Frequent ones of each country, so that they look like its people.

/** MALE and FEMALE given names, family names, streets; city with postal code, region, point. */
export interface Country {
  readonly male: readonly string[]
  readonly female: readonly string[]
  readonly family: readonly string[]
  readonly streets: readonly string[]
  readonly city: string
  readonly postalCode: string
  readonly region: string
  readonly at: readonly [latitude: number, longitude: number]
}

const country = (
  names: readonly [male: string, female: string, family: string],
  streets: string,
  [city, postalCode, region, ...at]: readonly [string, string, string, number, number],
): Country => {
  const [male, female, family] = names.map((list) => list.split(' ')) as [string[], string[], string[]]
  return { male, female, family, streets: streets.split(', '), city, postalCode, region, at }
}

export const people: Readonly<Record<string, Country>> = {
  IN: country(
    ['Arjun Rahul Vikram Sanjay Imran', 'Asha Priya Meera Kavita Sunita', 'Rao Sharma Iyer Patel Khan Nair'],
    'Brigade Road, Residency Road, Church Street',
    ['Bengaluru', '560001', 'Karnataka', 12.97, 77.59],
  ),
  AU: country(
    ['Jack Oliver Noah William Thomas', 'Charlotte Amelia Olivia Isla Mia', 'Smith Nguyen Williams Brown Taylor Chen'],
    'George Street, Pitt Street, Kent Street',
    ['Sydney', '2000', 'New South Wales', -33.87, 151.21],
  ),
  US: country(
    [
      'James Robert Michael David Daniel',
      'Mary Patricia Jennifer Linda Emily',
      'Johnson Garcia Miller Davis Martinez Lee',
    ],
    'Main Street, Oak Avenue, Maple Drive',
    ['Washington', '20001', 'District of Columbia', 38.91, -77.04],
  ),
  GB: country(
    ['George Harry Oliver Arthur Adam', 'Olivia Amelia Grace Sophie Zara', 'Jones Evans Walker Wright Ahmed Hughes'],
    'High Street, Church Road, Victoria Road',
    ['London', 'SW1A 2AA', 'Greater London', 51.51, -0.13],
  ),
  DE: country(
    ['Lukas Jonas Felix Paul Jürgen', 'Anna Emma Lena Clara Käthe', 'Müller Schmidt Weber Wagner Yılmaz Groß'],
    'Hauptstraße, Schulstraße, Gartenweg',
    ['Berlin', '10115', 'Berlin', 52.53, 13.38],
  ),
  FR: country(
    ['Louis Gabriel Jules Hugo François', 'Jade Louise Alice Chloé Zoé', 'Martin Bernard Lefèvre Moreau Petit Garçon'],
    'rue de la Paix, rue Victor Hugo, avenue Foch',
    ['Paris', '75002', 'Île-de-France', 48.87, 2.33],
  ),
  ES: country(
    ['Hugo Mateo Martín José Álvaro', 'Lucía Sofía María Begoña Carmen', 'García Fernández López Núñez Sánchez Ruiz'],
    'Calle Mayor, Calle de Alcalá, Gran Vía',
    ['Madrid', '28013', 'Madrid', 40.42, -3.7],
  ),
  BR: country(
    [
      'Miguel Arthur Heitor João Davi',
      'Helena Alice Laura Conceição Júlia',
      'Silva Santos Oliveira Souza Araújo Gonçalves',
    ],
    'Rua Augusta, Avenida Paulista, Rua da Consolação',
    ['São Paulo', '01310-100', 'São Paulo', -23.56, -46.65],
  ),
  JP: country(['蓮 大翔 健 隆 翼', '陽葵 花子 恵 愛 美咲', '佐藤 鈴木 高橋 田中 渡辺 伊藤'], '飯田橋, 神田, 丸の内', [
    '千代田区',
    '102-8460',
    '東京都',
    35.69,
    139.75,
  ]),
}

/** Of countries without a row: a place that is nowhere. */
export const elsewhere = country(
  ['Adam Daniel David Omar Leo', 'Anna Maria Sara Eva Nadia', 'Ali Costa Novak Kim Silva Mensah'],
  'First Street, Harbour Road, Station Road',
  ['Sandbox City', '00001', 'Sandbox Region', 0, 0],
)

/** How the Japanese names are read. */
export const kana: Readonly<Record<string, string>> = {
  ...{ 蓮: 'レン', 大翔: 'ヒロト', 健: 'ケン', 隆: 'タカシ', 翼: 'ツバサ' },
  ...{ 陽葵: 'ヒマリ', 花子: 'ハナコ', 恵: 'メグミ', 愛: 'アイ', 美咲: 'ミサキ' },
  ...{ 佐藤: 'サトウ', 鈴木: 'スズキ', 高橋: 'タカハシ', 田中: 'タナカ', 渡辺: 'ワタナベ', 伊藤: 'イトウ' },
}
