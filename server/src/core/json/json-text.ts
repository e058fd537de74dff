// Is an answer JSON text already? Then it is sent as it is. The type says what the text contains.

export class JsonText<Value> {
  readonly text: string
  /** Only a type: the value that parsing the text would return. */
  declare readonly value: Value

  constructor(text: string) {
    this.text = text
  }
}
