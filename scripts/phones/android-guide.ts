// Does the guide's app work with what a release has? Its code is taken from the page, as a reader does, and run on a JVM.

import { globSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { root } from '../release/server-bundle.ts'
import { librariesIn, librariesOfApp, run } from './android-artifacts.ts'

/** What a reader puts in place of the guide's. */
export interface GuideValues {
  readonly appId: string
  readonly url: string
}

const page = 'docs/guides/android.md'
const example = 'examples/android-login/app/src/main/kotlin'

/** The source files of the guide's app by path. The code is the page's; what an editor adds is added. */
export function guideApp(values: GuideValues): Map<string, string> {
  const text = readFileSync(join(root, page), 'utf8')
  const own = (code: string) =>
    code
      .replaceAll(/"rfa_[^"]+"/g, JSON.stringify(values.appId))
      .replaceAll(/"https?:\/\/(?:ringfence\.example|localhost:8080)"/g, JSON.stringify(values.url))
  const blocksOf = (language: string) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) => own(code))
  const kotlin = blocksOf('kotlin')
  const [statement, members, ...more] = blocksOf('java')
  if (kotlin.length !== 2 || statement === undefined || members === undefined || more.length > 0) {
    throw new Error(`${page} has other code than it had: say in android-guide.ts where it belongs`)
  }
  const files = new Map([
    ...kotlin.map((code, index) => [`GuideApp${index}.kt`, `package ringfence.guide\n\n${code}`] as const),
    ['ringfence/guide/GuideInJava.java', javaClass(statement)],
    ['ringfence/guide/ScreenInJava.java', javaScreen],
    ['ringfence/guide/SignInInJava.java', javaSignIn(members)],
  ])
  for (const file of globSync(`${example}/*.kt`, { cwd: root })) {
    files.set(`example/${basename(file)}`, own(readFileSync(join(root, file), 'utf8')))
  }
  return files
}

const javaClass = (statement: string) => `package ringfence.guide;

import android.content.Context;
import java.util.Map;
import java.util.function.Consumer;
import ringfence.core.UpdateInfo;
import ringfence.device.RingfenceDevice;

public final class GuideInJava {
  private final Consumer<String> backend;

  public GuideInJava(Consumer<String> backend) {
    this.backend = backend;
  }

  private void send(String dfrId) {
    backend.accept(dfrId);
  }

  public void fetch(Context context, Map<String, ?> params, UpdateInfo info) {
    ${statement.trim()}
  }
}
`

/** What the app has around the members of the page: its context, and what it does with the results. */
const javaScreen = `package ringfence.guide;

import android.content.Context;
import ringfence.signin.SignInError;
import ringfence.signin.SignInTransaction;
import ringfence.signin.SignedInUser;

public abstract class ScreenInJava {
  final Context context;

  ScreenInJava(Context context) {
    this.context = context;
  }

  abstract void show(SignInTransaction transaction, SignInError error);

  abstract void send(SignedInUser user, SignInError error);
}
`

const javaSignIn = (members: string) => `package ringfence.guide;

import android.content.Context;
import ringfence.device.RingfenceDevice;
import ringfence.signin.Channel;
import ringfence.signin.HeadlessAuthentication;
import ringfence.signin.Identity;
import ringfence.signin.SignInRequest;

public abstract class SignInInJava extends ScreenInJava {
  SignInInJava(Context context) {
    super(context);
  }

${members.trim()}
}
`

/** Compiles the app with `sdk`, the classes of a release, and runs android/guide/GuideTest.kt with it. */
export async function checkGuideApp(
  values: GuideValues,
  sdk: readonly string[],
  test: (command: readonly [string, ...string[]]) => Promise<void>,
): Promise<void> {
  const folder = join(root, '.build/android/guide')
  await rm(folder, { recursive: true, force: true })
  const [app, classes] = [join(folder, 'app'), join(folder, 'compiled')]
  for (const [path, content] of guideApp(values)) {
    await mkdir(dirname(join(app, path)), { recursive: true })
    await writeFile(join(app, path), content)
  }
  const tools = librariesIn('guide')
  const phone = ['device', 'core'].map((name) => join(root, `.build/android/ringfence-${name}/test-classes`))
  const [android = ''] = librariesOfApp()
  const mocks = globSync(`${tools}/{junit,mockito,byte-buddy,objenesis}*.jar`)
  const classPath = [...sdk, ...phone, android, ...mocks].join(':')
  // As an app with the oldest Kotlin that the guide allows.
  const kotlin = ['-no-stdlib', '-no-reflect', '-language-version', '2.0', '-jvm-target', '17', '-d', classes]
  const compiler = ['-cp', `${tools}/*`, 'org.jetbrains.kotlin.cli.jvm.K2JVMCompiler', ...kotlin]
  run('the guide in Kotlin', 'java', [...compiler, '-cp', classPath, app, join(root, 'android/guide/GuideTest.kt')])
  const java = [...globSync(`${app}/**/*.java`), join(root, 'android/device/src/test/java/ringfence/JavaApp.java')]
  run('the guide in Java', 'javac', ['-d', classes, '-cp', classPath, ...java])
  const runner = ['org.junit.platform.console.ConsoleLauncher', 'execute', '--disable-banner', '--fail-if-no-tests']
  await test(['java', '-cp', `${classes}:${classPath}`, ...runner, '--select-class', 'ringfence.guide.GuideTest'])
}
