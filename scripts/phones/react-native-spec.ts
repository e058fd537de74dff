// Which interfaces do the native modules of React Native implement? Those that React Native's codegen writes of the spec in an app's build.

import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from '../release/server-bundle.ts'
import { run } from './android-artifacts.ts'

const wrapper = join(root, 'react-native')
const codegen = join(wrapper, 'codegen')

/** What the two programs of codegen have, as far as it is used here. */
interface Codegen {
  TypeScriptParser: new () => { parseFile(path: string): object }
  generate(options: object, config: object): boolean
}

/** Writes the interfaces of Java and Objective-C into .build/react-native, as the build of an app does. */
export function writeReactNativeSpec(): void {
  run("React Native's codegen", 'npm', ['ci', '--silent', '--ignore-scripts', '--prefix', codegen])
  const require = createRequire(join(codegen, 'package.json'))
  const { TypeScriptParser } = require('@react-native/codegen/lib/parsers/typescript/parser.js') as Codegen
  const { generate } = require('@react-native/codegen/lib/generators/RNCodegen.js') as Codegen
  const { codegenConfig } = JSON.parse(readFileSync(join(wrapper, 'package.json'), 'utf8')) as {
    codegenConfig: { name: string; jsSrcsDir: string; android: { javaPackageName: string } }
  }
  const spec = join(wrapper, codegenConfig.jsSrcsDir, 'NativeRingfenceDeviceIntelligence.ts')
  const folder = join(root, '.build/react-native')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const options = {
    libraryName: codegenConfig.name,
    schema: new TypeScriptParser().parseFile(spec),
    outputDirectory: folder,
    packageName: codegenConfig.android.javaPackageName,
    assumeNonnull: true,
    useLocalIncludePaths: false,
  }
  if (!generate(options, { generators: ['modulesAndroid', 'modulesIOS'], test: false }))
    throw new Error(`codegen cannot read ${spec}`)
}
