import assert from 'node:assert/strict'
import { test } from 'node:test'
import { levelFaults, readDeclarations, readMethods } from './android-levels.ts'

/** As in @nativescript/types-android. */
const declarations = `
declare module android {
	export module os {
		/** @since 24 */
		export class LocaleList extends java.lang.Object implements android.os.Parcelable {
			public static getDefault(): android.os.LocaleList;
			public size(): number;
		}
	}
}
declare module android {
	export module os {
		export class Build extends java.lang.Object {
		}
		export module Build {
			export class VERSION extends java.lang.Object {
				public static SDK_INT: number;
			}
		}
	}
}
declare module java {
	export module net {
		export class URLEncoder extends java.lang.Object {
			/** @since 33 */
			public static encode(s: string, charset: java.nio.charset.Charset): string;
			public static encode(s: string, enc: string): string;
		}
	}
	export module util {
		export class Collection<E> extends java.lang.Object {
			/**
			 * Constructs a new instance of the interface with the provided implementation.
			 */
			public constructor(implementation: {
				removeIf(filter: any /* any*/): boolean;
				size(): number;
			});
			public constructor();
			/** @since 24 */
			public removeIf(filter: any /* any*/): boolean;
			public size(): number;
		}
		export class Locale extends java.lang.Object {
			public static getDefault(): java.util.Locale;
		}
	}
}
`

const level = `Compiled from "Api24.kt"
public final class ringfence.device.levels.Api24 {
  public static final ringfence.device.levels.Api24 INSTANCE;

  public final java.util.List<java.lang.String> languages();
    Code:
       0: invokestatic  #20                 // Method android/os/LocaleList.getDefault:()Landroid/os/LocaleList;
       7: invokevirtual #24                 // Method android/os/LocaleList.size:()I
      10: areturn
}
`

/** A class that uses \`Api24\`: \`number\` is that of its \`if\`, and the call stands before the target of the jump. */
const caller = (number: number, target = 17) => `Compiled from "LanguagesFact.kt"
public final class ringfence.device.facts.LanguagesFact {
  public java.lang.Object read();
    Code:
       0: getstatic     #29                 // Field android/os/Build$VERSION.SDK_INT:I
       3: bipush        ${number}
       5: if_icmplt     ${target}
       8: getstatic     #35                 // Field ringfence/device/levels/Api24.INSTANCE:Lringfence/device/levels/Api24;
      11: invokevirtual #38                 // Method ringfence/device/levels/Api24.languages:()Ljava/util/List;
      14: goto          26
      17: invokestatic  #44                 // Method java/util/Locale.getDefault:()Ljava/util/Locale;
      26: areturn
}
`

const calling = (instruction: string) => `Compiled from "Reader.kt"
public final class ringfence.device.Reader {
  public java.lang.Object read();
    Code:
       0: ${instruction}
       3: areturn
}
`

const faultsIn = (...printed: string[]) => levelFaults(readDeclarations(declarations), readMethods(printed.join('')))

test('accepts a newer member in the class of its level, which is called where the level is known', () => {
  assert.deepEqual(faultsIn(level, caller(24)), [])
  assert.deepEqual(faultsIn(level, caller(26)), [], 'a higher level is known')
})

test('refuses a call where the level is not known', () => {
  const fault =
    'ringfence.device.facts.LanguagesFact.read: ringfence.device.levels.Api24.languages is not in `if (SDK_INT >= 24)`'
  assert.deepEqual(faultsIn(level, caller(23)), [fault], 'of a lower level')
  assert.deepEqual(faultsIn(level, caller(24, 9)), [fault], 'after the end of the branch')
})

test('refuses a call that a jump reaches past the check of the level', () => {
  const fault =
    'ringfence.device.facts.LanguagesFact.read: ringfence.device.levels.Api24.languages is not in `if (SDK_INT >= 24)`'
  const withCode = (code: string, table = '') =>
    caller(24).replace('       0: getstatic', `${code}       0: getstatic`).replace('areturn\n', `areturn\n${table}`)
  assert.deepEqual(faultsIn(level, withCode('       0: ifne          8\n')), [fault], 'if (other || …)')
  const cases = '       0: lookupswitch  { // 2\n                     1: 8\n               default: 17\n          }\n'
  assert.deepEqual(faultsIn(level, withCode(cases)), [fault], 'a case of a switch')
  const row = (from: number, to: number) =>
    `    Exception table:\n       from    to  target type\n ${from} ${to} 8 Class java/util/Locale\n`
  assert.deepEqual(faultsIn(level, withCode('', row(0, 3))), [fault], 'a handler')
  assert.deepEqual(faultsIn(level, withCode('', row(11, 14))), [], 'a handler of what the check guards')
  assert.deepEqual(faultsIn(level, withCode('       0: ifne          17\n')), [], '`other && …` jumps behind it')
})

/** The end of a class in `javap -v`, whose method creates a lambda of this handle. */
const referring = (handle: string) => `Compiled from "Reader.kt"
public final class ringfence.device.Reader {
  public java.util.concurrent.Callable read();
    descriptor: ()Ljava/util/concurrent/Callable;
    flags: (0x0001) ACC_PUBLIC
    Code:
      stack=1, locals=1, args_size=1
         0: invokedynamic #19,  0             // InvokeDynamic #0:call:()Ljava/util/concurrent/Callable;
         5: areturn
}
SourceFile: "Reader.kt"
BootstrapMethods:
  0: #36 REF_invokeStatic java/lang/invoke/LambdaMetafactory.metafactory:(Ljava/lang/String;)Ljava/lang/invoke/CallSite;
    Method arguments:
      #43 ()Ljava/lang/Object;
      #44 REF_invokeStatic ${handle}
      #43 ()Ljava/lang/Object;
`

test('refuses a reference to a newer member, and one to the class of a level', () => {
  const of = (name: string) => [`ringfence.device.Reader.<invokedynamic>: ${name}`]
  assert.deepEqual(
    faultsIn(referring('android/os/LocaleList.getDefault:()Landroid/os/LocaleList;')),
    of('android.os.LocaleList.getDefault exists since API 24'),
  )
  assert.deepEqual(
    faultsIn(level, referring('ringfence/device/levels/Api24.languages:()Ljava/util/List;')),
    of('ringfence.device.levels.Api24.languages is not in `if (SDK_INT >= 24)`'),
  )
  assert.deepEqual(faultsIn(referring('java/util/Locale.getDefault:()Ljava/util/Locale;')), [])
  assert.deepEqual(faultsIn(referring('ringfence/device/Reader.read$lambda$0:()Ljava/util/List;')), [])
})

test('refuses a newer member outside of the class of its level', () => {
  const newer = calling('invokestatic  #20   // Method android/os/LocaleList.getDefault:()Landroid/os/LocaleList;')
  assert.deepEqual(faultsIn(newer), [
    'ringfence.device.Reader.read: android.os.LocaleList.getDefault exists since API 24',
  ])
  const type = calling('instanceof    #7    // class android/os/LocaleList')
  assert.deepEqual(faultsIn(type), ['ringfence.device.Reader.read: android.os.LocaleList exists since API 24'])
})

test('refuses a newer member of an interface, whose declaration repeats its functions without their levels', () => {
  const of = (call: string) =>
    faultsIn(calling(`invokeinterface #20   // InterfaceMethod java/util/Collection.${call}`))
  assert.deepEqual(of('removeIf:(Ljava/util/function/Predicate;)Z'), [
    'ringfence.device.Reader.read: java.util.Collection.removeIf exists since API 24',
  ])
  assert.deepEqual(of('size:()I'), [])
})

test('refuses a member of a level that nobody calls, because the compiler dropped its branch', () => {
  assert.deepEqual(faultsIn(level, calling('aconst_null')), [
    'ringfence.device.levels.Api24.languages is not called: did the compiler drop its `if`?',
  ])
})

test('knows a lambda in the class of a level, which the compiler makes a member of', () => {
  const lambda = level.replace(
    /}\n$/,
    `
  private static final kotlin.Unit languages$lambda$0();
    Code:
       0: areturn
}
`,
  )
  assert.deepEqual(faultsIn(lambda, caller(24)), [])
  const handle = 'ringfence/device/levels/Api24.languages$lambda$0:()Lkotlin/Unit;'
  const bootstrap = referring(handle).replace(/^[\s\S]*?(?=SourceFile)/, '')
  assert.deepEqual(faultsIn(lambda, bootstrap, caller(24)), [])
})

test('refuses a member that the public API of Android does not have', () => {
  const hidden = calling(
    'invokestatic  #20   // Method android/os/SystemProperties.get:(Ljava/lang/String;)Ljava/lang/String;',
  )
  assert.deepEqual(faultsIn(hidden), [
    "ringfence.device.Reader.read: android.os.SystemProperties.get is not in Android's public API",
  ])
})

test('refuses a catch of a newer class', () => {
  const method = `Compiled from "A.kt"
public final class ringfence.A {
  public final void read();
    Code:
       0: return
      13: astore_0
      14: return
    Exception table:
       from    to  target type
           0     1    13   Class android/os/LocaleList
           0     1    13   any
}
`
  assert.deepEqual(faultsIn(method), ['ringfence.A.read: android.os.LocaleList exists since API 24'])
})

test('tells members apart by the types of their parameters', () => {
  const encode = (type: string) =>
    calling(`invokestatic  #20   // Method java/net/URLEncoder.encode:(Ljava/lang/String;L${type};)Ljava/lang/String;`)
  assert.deepEqual(faultsIn(encode('java/lang/String')), [])
  assert.deepEqual(faultsIn(encode('java/nio/charset/Charset')), [
    'ringfence.device.Reader.read: java.net.URLEncoder.encode exists since API 33',
  ])
})
