// Which release is this? A test holds it against package.json.

export const version = '0.1.0'
