// Which symbols do apps see of the compiled classes in a folder? Those that Kotlin calls public, and not those that it calls internal.

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jetbrains.kotlin.abi.tools.AbiFilters;
import org.jetbrains.kotlin.abi.tools.AbiTools;

final class Surface {
  public static void main(String[] arguments) throws Exception {
    try (var paths = Files.walk(Path.of(arguments[0]))) {
      List<File> classes = paths.filter(path -> path.toString().endsWith(".class")).sorted().map(Path::toFile).toList();
      AbiTools.Companion.getInstance(null).printJvmDump(System.out, classes, AbiFilters.Companion.getEMPTY());
    }
  }
}
